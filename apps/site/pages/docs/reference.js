import { partOf } from './local-references.js';

const dark = matchMedia('(prefers-color-scheme: dark)');

/** Swagger UI has a dark theme, but the page must enable it. */
const followScheme = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', followScheme);
followScheme();

/**
 * Shows only the description of errors: their headers and shape are always the same and would hide the rest.
 * @type {SwaggerUiWrapper}
 */
const shortErrors =
  (Response, { React }) =>
  (props) => {
    const response = /^[45]/.test(props.code) ? props.response.delete('headers').delete('content') : props.response;
    return React.createElement(Response, { ...props, response });
  };

/**
 * A link inside a button is not accessible; the URL follows the opened operation anyway.
 * @type {SwaggerUiWrapper}
 */
const plainText =
  (_, { React }) =>
  ({ text }) =>
    React.createElement('span', null, text);

/**
 * Marks operations that need a token; the page's own form asks for it.
 * @type {SwaggerUiWrapper}
 */
const needsToken =
  (_, { React }) =>
  () =>
    React.createElement('small', { className: 'needs-token' }, 'needs a token');

/**
 * Labels parameter fields with the visible name, passed as `description`.
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
 * Lists the operations of one group at a time. From 150 operations and groups on, a list contains only those in view:
 * links and searching in the page would not reach the others.
 * @type {SwaggerUiWrapper}
 */
const inGroups =
  (Operations, { React }) =>
  (props) => {
    const groups = props.specSelectors.taggedOperations();
    const list = (/** @type {string} */ name) => {
      const taggedOperations = () => groups.filter((_, each) => each === name);
      const specSelectors = { ...props.specSelectors, taggedOperations };
      return React.createElement(Operations, { ...props, specSelectors, key: name });
    };
    return React.createElement(React.Fragment, null, ...groups.keySeq().toArray().map(list));
  };

/**
 * The reference without Swagger UI's own frame: the page already has headings, an introduction and landmarks.
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
  // Replaced by `showFragment`: Swagger UI would interpret the guide's fragments as operations.
  statePlugins: { layout: { wrapActions: { parseDeepLinkHash: () => () => () => {} } } },
  wrapComponents: {
    DeepLink: plainText,
    JsonSchemaForm: named,
    authorizeOperationBtn: needsToken,
    operations: inGroups,
    response: shortErrors,
  },
});

const ui = SwaggerUIBundle({
  url: 'docs.jsonopenapi',
  dom_id: '#swagger-ui',
  layout: 'WithinPage',
  plugins: [withinPage],
  deepLinking: true,
  // Sends the document nowhere and stores no credentials.
  validatorUrl: null,
  persistAuthorization: false,
  defaultModelExpandDepth: 2,
  // This theme has sufficient contrast in both colour schemes.
  syntaxHighlight: { activated: true, theme: 'tomorrow-night' },
  onComplete: begin,
});

/** Until this runs, and if it fails, the list of operations is shown. */
function begin() {
  document.getElementById('operation-list')?.remove();
  credential.hidden = false;
  addEventListener('hashchange', showFragment);
  showFragment();
}

/** Opens the tag or operation in a fragment such as `#/Zones/createZone`, and moves the focus there. */
function showFragment() {
  const [start, tag, operation] = decodeURIComponent(location.hash).split('/');
  if (start !== '#' || tag === undefined || tag === '') return;
  const { layoutActions } = ui.getSystem();
  const name = tag.replaceAll(' ', '_');
  const section = document.getElementById(`operations-tag-${name}`);
  if (section?.dataset['isOpen'] === 'false') layoutActions.show(['operations-tag', tag], true);
  if (operation === undefined) return reach(section);
  layoutActions.show(['operations', tag, operation], true);
  // A collapsed section is rendered in the next frame.
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
 * The security scheme of the current token.
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
