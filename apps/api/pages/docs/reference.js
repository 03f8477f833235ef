import { partOf } from './local-references.js';

const dark = matchMedia('(prefers-color-scheme: dark)');

/** Swagger UI has a dark look, and leaves it to pages when to use it. */
const followScheme = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', followScheme);
followScheme();

/**
 * Errors say what they are; their headers and their shape, which is the same for all, would bury everything else.
 * @type {SwaggerUiWrapper}
 */
const shortErrors =
  (Response, { React }) =>
  (props) => {
    const response = /^[45]/.test(props.code) ? props.response.delete('headers').delete('content') : props.response;
    return React.createElement(Response, { ...props, response });
  };

/**
 * A link within a button could not be reached by everybody; the address follows what is opened anyway.
 * @type {SwaggerUiWrapper}
 */
const plainText =
  (_, { React }) =>
  ({ text }) =>
    React.createElement('span', null, text);

/**
 * Says which operations need a token; where it is asked for is the form of the page.
 * @type {SwaggerUiWrapper}
 */
const needsToken =
  (_, { React }) =>
  () =>
    React.createElement('small', { className: 'needs-token' }, 'needs a token');

/**
 * Fields of parameters have no label but the word beside them; `description` is that word.
 * @type {SwaggerUiWrapper}
 */
const named =
  (Field, { React }) =>
  (props) => {
    const name = (/** @type {Element | null} */ frame) => {
      for (const field of frame?.querySelectorAll('input, select') ?? []) {
        field.setAttribute('aria-label', props.description);
      }
    };
    return React.createElement('div', { ref: name }, React.createElement(Field, props));
  };

/**
 * The reference without its own frame: the page has headings, an introduction and landmarks already.
 * @type {SwaggerUiPlugin}
 */
const withinPage = ({ React }) => ({
  components: {
    WithinPage: ({ getComponent, specSelectors }) => {
      const part = (/** @type {string} */ name, isContainer = true) =>
        React.createElement(getComponent(name, isContainer), null);
      const parts =
        specSelectors.loadingStatus() === 'success'
          ? [part('SvgAssets', false), part('errors'), part('operations')]
          : [];
      return React.createElement('div', { className: 'swagger-ui' }, ...parts);
    },
  },
  fn: {
    resolveSubtree: (document, path) => Promise.resolve({ spec: partOf(document, path), errors: [] }),
  },
  // Opened and shown here (`showFragment`): Swagger UI would take the fragments of the guide for its own.
  statePlugins: { layout: { wrapActions: { parseDeepLinkHash: () => () => () => {} } } },
  wrapComponents: {
    DeepLink: plainText,
    JsonSchemaForm: named,
    authorizeOperationBtn: needsToken,
    response: shortErrors,
  },
});

const ui = SwaggerUIBundle({
  url: 'docs.jsonopenapi',
  dom_id: '#swagger-ui',
  layout: 'WithinPage',
  plugins: [withinPage],
  deepLinking: true,
  // Nothing of the document is sent anywhere, and no credential is kept.
  validatorUrl: null,
  persistAuthorization: false,
  defaultModelExpandDepth: 2,
  // Its colours have enough contrast in both schemes.
  syntaxHighlight: { activated: true, theme: 'tomorrow-night' },
  onComplete: begin,
});

/** Until then, and if it never comes to this, there is the list of operations. */
function begin() {
  document.getElementById('operation-list')?.remove();
  credential.hidden = false;
  addEventListener('hashchange', showFragment);
  showFragment();
}

/** Opens and shows what `#/Zones` or `#/Zones/createZone` names, and moves the focus there. */
function showFragment() {
  const [start, tag, operation] = decodeURIComponent(location.hash).split('/');
  if (start !== '#' || tag === undefined || tag === '') return;
  const { layoutActions } = ui.getSystem();
  const name = tag.replaceAll(' ', '_');
  const section = document.getElementById(`operations-tag-${name}`);
  if (section?.dataset['isOpen'] === 'false') layoutActions.show(['operations-tag', tag], true);
  if (operation === undefined) return reach(section);
  layoutActions.show(['operations', tag, operation], true);
  // What was closed is not there before the next frame.
  requestAnimationFrame(() => reach(document.getElementById(`operations-${name}-${operation}`)));
}

/** @param {HTMLElement | null} shown */
function reach(shown) {
  shown?.querySelector('button')?.focus({ preventScroll: true });
  shown?.scrollIntoView();
}

const credential = /** @type {HTMLFormElement} */ (document.getElementById('credential'));
const token = /** @type {HTMLInputElement} */ (document.getElementById('token'));
const forget = /** @type {HTMLButtonElement} */ (document.getElementById('forget-token'));
const state = /** @type {HTMLElement} */ (document.getElementById('token-state'));

/**
 * The scheme of the token in use.
 * @type {string | undefined}
 */
let inUse;

credential.addEventListener('submit', (event) => {
  event.preventDefault();
  const value = token.value.trim();
  const [scheme, name] = value.startsWith('zw_') ? ['apiToken', 'API token'] : ['bearer', 'access token'];
  use(scheme, value);
  state.textContent = `Requests now use your ${name}.`;
});

forget.addEventListener('click', () => {
  use(undefined, '');
  state.textContent = 'The token has been removed.';
  token.focus();
});

/**
 * @param {string | undefined} scheme
 * @param {string} value
 */
function use(scheme, value) {
  if (inUse !== undefined) ui.getSystem().authActions.logout([inUse]);
  if (scheme !== undefined) ui.preauthorizeApiKey(scheme, value);
  inUse = scheme;
  token.value = '';
  forget.hidden = scheme === undefined;
}
