/**
 * The source of `dist/load.js`, which loads the service together with the code that V8 compiled of it in the build.
 * Compiling takes a third of a start otherwise. V8 does not accept code of another version or with other flags, and then
 * compiles as usual.
 */
const { existsSync, readFileSync, writeFileSync } = require('node:fs');
const path = require('node:path');
const { pathToFileURL } = require('node:url');
const { setFlagsFromString } = require('node:v8');
const { Script } = require('node:vm');

/**
 * Percent by which the heap grows before a full collection. The default of three hundred keeps tens of megabytes of garbage
 * to save one such collection in a few thousand requests.
 */
setFlagsFromString('--heap-growing-percent=40');

/**
 * One thread collects young garbage. Of that only a megabyte or two survives, and sharing so little work among threads
 * takes about a tenth more processor time per write.
 */
setFlagsFromString('--no-parallel-scavenge');

const filename = path.join(__dirname, 'service.js');
const code = path.join(__dirname, `service-${process.version}-${process.arch}.code`);
const script = new Script(readFileSync(filename, 'latin1'), {
  filename,
  cachedData: existsSync(code) ? readFileSync(code) : undefined,
});

exports.service = script.runInThisContext()(require, pathToFileURL(filename).href);

/** Whether V8 has accepted the code. */
exports.isCompiled = script.cachedDataRejected === false;

/** For the build: includes the functions that loading has called. */
exports.keepCode = () => writeFileSync(code, script.createCachedData());
