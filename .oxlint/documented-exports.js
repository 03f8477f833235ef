/**
 * Every export needs a docstring: purpose, shape and units, meaning of its errors, source of its rule.
 *
 * Some share one: a schema or constructor and the type derived from it; a use case, its type and its errors
 * (`createZone`, `CreateZone`, `CreateZoneError`); and a port's implementation, recognized by a name that ends with the
 * name of its result, as in `memoryZones(…): Zones`. Types that only hold dependencies or options need none.
 */
const declared = (node) => (node.type === 'ExportNamedDeclaration' ? node.declaration : node);

const namesOf = (declaration) =>
  (declaration.declarations ?? [declaration]).flatMap(({ id }) => (id?.type === 'Identifier' ? [id.name] : []));

const isDocumented = (sourceCode, node) => {
  const comment = sourceCode.getCommentsBefore(node).at(-1);
  return comment?.type === 'Block' && comment.value.startsWith('*');
};

/** The part of a name shared by exports that share a docstring. */
const conceptOf = (name) => name.toLowerCase().replace(/(?<=.)error$/, '');

/** The `x` in `ReturnType<typeof x>`, `z.infer<typeof x>` and `(typeof x)[number]`. */
const sourceOf = (sourceCode, declaration) =>
  declaration.type === 'TSTypeAliasDeclaration'
    ? /typeof (\w+)\b/.exec(sourceCode.getText(declaration.typeAnnotation))?.[1]
    : undefined;

const implementsPort = (sourceCode, declaration) => {
  const { returnType } = declaration.declarations?.[0].init ?? declaration;
  const port = returnType ? /^: ([A-Z]\w+)$/.exec(sourceCode.getText(returnType))?.[1] : undefined;
  return port !== undefined && namesOf(declaration)[0]?.endsWith(port);
};

const holdsOnly = /(Dependencies|Options|Repositories)$/;

const isUndocumented = (sourceCode, documented, declaration) => {
  const names = [...namesOf(declaration), sourceOf(sourceCode, declaration) ?? []].flat();
  if (names.some((name) => holdsOnly.test(name) || documented.has(conceptOf(name)))) return false;
  return !implementsPort(sourceCode, declaration);
};

export default {
  meta: { name: 'documentation' },
  rules: {
    'documented-exports': {
      create: ({ sourceCode, report }) => ({
        Program({ body }) {
          const declarations = body.filter((node) =>
            /^((Variable|Function|Class|TS\w+)Declaration|TSDeclareFunction)$/.test(declared(node)?.type),
          );
          const documented = new Set(
            declarations
              .filter((node) => isDocumented(sourceCode, node))
              .flatMap((node) => namesOf(declared(node)).map(conceptOf)),
          );
          for (const node of declarations) {
            if (node.type === 'ExportNamedDeclaration' && isUndocumented(sourceCode, documented, declared(node))) {
              const [name] = namesOf(declared(node));
              report({ node, message: `${name} has no docstring: what does its name not say?` });
            }
          }
        },
      }),
    },
  },
};
