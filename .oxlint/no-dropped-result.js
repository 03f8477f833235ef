/**
 * A Result that is not looked at is an error that goes unseen: `save(user);` and `await save(user);` both drop it.
 * In the core every call whose value is not used must therefore be an assertion of `void` (`void log(…)`).
 */
const dropsValue = (node) =>
  node.type === 'CallExpression' || (node.type === 'AwaitExpression' && node.argument.type === 'CallExpression');

const mutators = new Set(['push', 'set', 'add', 'delete', 'forEach', 'splice', 'sort', 'clear']);
const mutates = (node) =>
  node.type === 'CallExpression' &&
  node.callee.type === 'MemberExpression' &&
  mutators.has(node.callee.property.name) &&
  node.callee.object.type === 'Identifier';

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
