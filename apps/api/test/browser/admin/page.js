/* The page of the test: the admin front end, given nothing but where the API begins and what to sign in with. */
import { fetchHydra, HydraAdmin, hydraDataProvider } from '@api-platform/admin';
import { parseHydraDocumentation } from '@api-platform/api-doc-parser';
import { createElement } from 'react';
import { createRoot } from 'react-dom/client';

const asked = new URLSearchParams(location.search);
const entrypoint = asked.get('entrypoint');
const authorization = `Bearer ${asked.get('token')}`;

const httpClient = (url, options = {}) => {
  const headers = new Headers(options.headers);
  headers.set('Authorization', authorization);
  return fetchHydra(url, { ...options, headers });
};

const dataProvider = hydraDataProvider({
  entrypoint,
  httpClient,
  apiDocumentationParser: (url) => parseHydraDocumentation(url, { headers: { Authorization: authorization } }),
  mercure: false,
});

createRoot(document.getElementById('root')).render(
  createElement(HydraAdmin, { entrypoint, dataProvider, disableTelemetry: true }),
);
