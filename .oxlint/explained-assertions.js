/**
 * A type assertion (`as`) needs a comment, on the line above or at the end of its line, on why the compiler cannot
 * infer it. `as const` asserts nothing, and `bytes[at] as number` always has the same reason: the index is in bounds.
 */
const needsNoReason = ({ expression, typeAnnotation: type }) =>
  (type.type === 'TSTypeReference' && type.typeName.name === 'const') ||
  (type.type === 'TSNumberKeyword' && expression.type === 'MemberExpression' && expression.computed);

const explainedAssertions = {
  meta: { type: 'suggestion', docs: { description: 'require a reason at each type assertion' } },
  create(context) {
    const { sourceCode } = context;
    const explained = new Set();
    return {
      Program() {
        for (const { loc } of sourceCode.getAllComments()) explained.add(loc.end.line).add(loc.end.line + 1);
      },
      TSAsExpression(node) {
        const isExplained = [node, node.typeAnnotation].some(({ loc }) => explained.has(loc.start.line));
        if (isExplained || needsNoReason(node)) return;
        context.report({ node: node.typeAnnotation, message: 'Say on the line above why this assertion is true.' });
      },
    };
  },
};

export default { meta: { name: 'assertions' }, rules: { 'explained-assertions': explainedAssertions } };
