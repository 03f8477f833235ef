/**
 * An ignored Result hides an error: both `save(user);` and `await save(user);` drop it. In the core, a call whose value
 * is intentionally unused must be marked with `void`, as in `void log(…)`.
 */
const dropsValue = (node) =>
  node.type === 'CallExpression' || (node.type === 'AwaitExpression' && node.argument.type === 'CallExpression');

const mutators = new Set(['push', 'set', 'add', 'delete', 'forEach', 'splice', 'sort', 'clear']);
/** A variable, or private state, which is no port: `names`, `this.#names`. */
const isOwn = (node) =>
  node.type === 'Identifier' ||
  node.type === 'ThisExpression' ||
  (node.type === 'MemberExpression' &&
    node.object.type === 'ThisExpression' &&
    node.property.type === 'PrivateIdentifier');
const mutates = (node) =>
  node.type === 'CallExpression' &&
  node.callee.type === 'MemberExpression' &&
  mutators.has(node.callee.property.name) &&
  isOwn(node.callee.object);

export default {
  meta: { name: 'zonewright' },
  rules: {
    'no-dropped-result': {
      create: (context) => ({
        ExpressionStatement({ expression }) {
          if (dropsValue(expression) && !mutates(expression)) {
            context.report({ node: expression, message: 'The value of this call is dropped; a Result must be used.' });
          }
        },
      }),
    },
  },
};
