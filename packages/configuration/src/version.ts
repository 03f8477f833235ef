/** The version of the service and of its command line (Semantic Versioning 2.0.0), as in every package.json. */
export const version = '1.0.0';
