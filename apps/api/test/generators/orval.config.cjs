const { DOCUMENT_URL, API_URL } = process.env;

module.exports = {
  zonewright: {
    input: { target: DOCUMENT_URL },
    output: { target: './dist/orval.ts', client: 'fetch', baseUrl: API_URL },
  },
  zonewrightSchemas: {
    input: { target: DOCUMENT_URL },
    output: { target: './dist/orval-zod.ts', client: 'zod' },
  },
};
