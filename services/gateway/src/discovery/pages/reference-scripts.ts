import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { type Document, document } from '../../http/document.ts';
import { signInScript } from './sign-in-script.ts';

const script = 'text/javascript; charset=utf-8';

/** The scripts of the reference, by path: the same for every school. Read from the renderer's package once. */
export function referenceScripts(): ReadonlyMap<string, Document> {
  const renderer = dirname(dirname(createRequire(import.meta.url).resolve('openapi-explorer')));
  const explorer = readFileSync(join(renderer, 'browser/openapi-explorer.min.js'), 'utf8');
  return new Map([
    ['/docs/explorer.js', document(script, explorer)],
    ['/docs/sign-in.js', document(script, signInScript)],
  ]);
}
