import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = join(import.meta.dirname, 'templates');

/** The text of a template with the names filled in. */
export function filled(template, names) {
  const text = readFileSync(join(folder, `${template}.template`), 'utf8');
  return text.replaceAll(/\{\{(\w+)\}\}/g, (_, name) => {
    if (!(name in names)) throw new Error(`${template} needs ${name}`);
    return names[name];
  });
}

const words = (text) => text.split(/[^\w$]+/).filter((word) => word !== '' && word !== 'type');

/** What a template imports and declares by names of its own: an area cannot be called so. */
export function takenBy(template) {
  const text = readFileSync(join(folder, `${template}.template`), 'utf8').replaceAll(/\w*\{\{\w+\}\}\w*/g, '');
  const imports = [...text.matchAll(/import (?:type )?\{([^}]*)\}/g)].flatMap(([, names]) => words(names));
  const declared = [...text.matchAll(/^(?:export )?(?:const|function|type|interface) (\w+)/gm)].map(([, name]) => name);
  return [...imports, ...declared];
}
