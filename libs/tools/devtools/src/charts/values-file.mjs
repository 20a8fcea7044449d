// values.yaml from a schema: every value with its default, and what it means above it.
import { stringify } from 'yaml';

const indent = (text, depth) => text.replaceAll(/^(?=.)/gm, '  '.repeat(depth));

function linesOf([name, schema], depth) {
  const { description, properties } = schema;
  const about = description && name !== 'global' ? indent(`# ${description}\n`, depth) : '';
  if (schema.default !== undefined)
    return (
      about +
      indent(
        stringify({ [name]: schema.default }, { singleQuote: true, lineWidth: 0, aliasDuplicateObjects: false }),
        depth,
      )
    );
  const inside = Object.entries(properties ?? {}).map((each) => linesOf(each, depth + 1));
  if (inside.every((lines) => lines === '')) return '';
  return `${about}${indent(`${name}:`, depth)}\n${inside.join('')}`;
}

/** The text of values.yaml. */
export const valuesFile = (schema) =>
  `# Written from the schema of the values: npm run charts\n${Object.entries(schema.properties)
    .map((each) => linesOf(each, 0))
    .join('')}`;
