/* The test's page: the admin front end, configured only with the entrypoint and credentials. */
import { fetchHydra, HydraAdmin, hydraDataProvider } from '@api-platform/admin';
import { parseHydraDocumentation } from '@api-platform/api-doc-parser';
import { createElement } from 'react';
import { createRoot } from 'react-dom/client';

const query = new URLSearchParams(location.search);
const entrypoint = query.get('entrypoint');
const authorization = `Bearer ${query.get('token')}`;

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
