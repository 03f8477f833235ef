import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

/** Imports a program that exists only since a test made a part of it: bundled as an application would bundle it. */
export async function importProgram(folder: URL, name: string): Promise<unknown> {
  const bundle = new URL(`dist/${name}.mjs`, folder);
  await build({
    entryPoints: [fileURLToPath(new URL(`${name}.ts`, folder))],
    outfile: fileURLToPath(bundle),
    bundle: true,
    platform: 'node',
    format: 'esm',
  });
  return import(bundle.href);
}
