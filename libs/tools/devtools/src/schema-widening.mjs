// What of a JSON Schema (draft-07) lets a writer write what readers of another one do not expect. Readers ignore fields that
// they do not know, so what is added is no matter, nor is what is narrower.

/** Said of a field that is not there any more. */
export const gone = 'is gone';

/**
 * Where and how `now` permits what `before` does not, as `{ field, what }`; `what` continues a sentence about the field.
 * What cannot be judged counts as wider.
 */
export function widenings(before, now, field = 'the value') {
  const [olds, news] = [alternativesOf(before), alternativesOf(now)];
  if (olds.length === 1 && news.length === 1) return wider(olds[0], news[0], field);
  return news.flatMap((alternative) => {
    const found = olds.map((old) => wider(old, alternative, field)).sort((one, other) => one.length - other.length);
    const [least] = found;
    if (least?.length === 0) return [];
    // With one form before and now it is told what of it changed, otherwise that there is another one.
    const alike = olds.filter((old) => formOf(old) === formOf(alternative));
    if (alike.length === 1) return wider(alike[0], alternative, field);
    return [{ field, what: `may be ${formOf(alternative)} now` }];
  });
}

/** The alternatives that a schema leaves, each without alternatives of its own at its top. */
function alternativesOf({ anyOf, oneOf, type, enum: values, ...rest }) {
  const options = anyOf ?? oneOf;
  if (options) return options.flatMap((option) => alternativesOf({ ...rest, ...option }));
  if (values && type === undefined) return [{ ...rest, enum: values }];
  if (Array.isArray(type)) return type.map((each) => ({ ...rest, type: each, ...(values && { enum: values }) }));
  return [{ ...rest, ...(type !== undefined && { type }), ...(values && { enum: values }) }];
}

/** What an alternative is, in a word: with it another one is compared that is the same in it. */
function formOf({ type, const: only, properties, enum: values }) {
  if (only !== undefined) return JSON.stringify(only);
  const tag = Object.entries(properties ?? {}).find(([, { const: value }]) => value !== undefined);
  if (tag) return `${type} with ${tag[0]} ${JSON.stringify(tag[1].const)}`;
  return type ?? (values ? 'one of other values' : 'anything');
}

/** Words that explain and promise nothing. */
const prose = new Set(['$id', '$schema', 'title', 'description', 'default', 'example', 'examples']);

/** Words that are judged below; others have to stay as they are. */
const judged = new Set([
  'type',
  'const',
  'enum',
  'properties',
  'required',
  'additionalProperties',
  'items',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'format',
  'pattern',
]);

function wider(before, now, field) {
  if (Object.keys(before).every((word) => prose.has(word))) return [];
  const found = [];
  const minds = (what) => void found.push({ field, what });
  if (!isTypeWithin(before.type, now.type)) {
    minds(`is ${now.type ?? 'anything'} now and was ${before.type ?? 'one of some values'}`);
    return found;
  }
  const values = valuesOf(before);
  if (values) {
    const added = valuesOf(now)?.filter((value) => !values.includes(value));
    if (!added) minds(`may have any value now and had one of ${values.join(', ')}`);
    else if (added.length > 0) minds(`may be ${added.join(' or ')} now`);
  }
  for (const [word, isLoose] of Object.entries(bounds))
    if (before[word] !== undefined && (now[word] === undefined || isLoose(before[word], now[word])))
      minds(`has ${word} ${now[word] ?? 'no more'} now and had ${before[word]}`);
  for (const word of ['format', 'pattern'])
    if (before[word] !== undefined && before[word] !== now[word] && !valuesOf(now))
      minds(`has ${now[word] === undefined ? 'no' : 'another'} ${word} now`);
  for (const word of new Set([...Object.keys(before), ...Object.keys(now)]))
    if (!judged.has(word) && !prose.has(word) && JSON.stringify(before[word]) !== JSON.stringify(now[word]))
      minds(`has another ${word}, which cannot be judged`);
  return [...found, ...widerInside(before, now, field)];
}

/** What is wider in the fields of an object, and in the items of an array. */
function widerInside(before, now, field) {
  const below = (name) => (field === 'the value' ? name : `${field}.${name}`);
  const fields = Object.entries(before.properties ?? {}).flatMap(([name, schema]) => {
    const present = now.properties?.[name];
    if (!present) return [{ field: below(name), what: gone }];
    const isLeftOut = before.required?.includes(name) && !now.required?.includes(name);
    const found = isLeftOut ? [{ field: below(name), what: 'may be left out now' }] : [];
    return [...found, ...widenings(schema, present, below(name))];
  });
  const others =
    isSchema(before.additionalProperties) && !before.properties
      ? widenings(before.additionalProperties, schemaOf(now.additionalProperties), `${field}.*`)
      : [];
  const items = before.items ? widenings(before.items, schemaOf(now.items), `${field}[]`) : [];
  return [...fields, ...others, ...items];
}

const isSchema = (schema) => typeof schema === 'object' && schema !== null;
const schemaOf = (schema) => (isSchema(schema) ? schema : {});

const isTypeWithin = (before, now) =>
  before === undefined || before === now || (before === 'number' && now === 'integer');

/** The only values that a schema has, as text; undefined when there are others. */
const valuesOf = ({ const: only, enum: values }) =>
  (only === undefined ? values : [only])?.map((value) => JSON.stringify(value));

/** Whether a bound lets more through than the one before. */
const bounds = {
  minimum: (before, now) => now < before,
  exclusiveMinimum: (before, now) => now < before,
  minLength: (before, now) => now < before,
  minItems: (before, now) => now < before,
  maximum: (before, now) => now > before,
  exclusiveMaximum: (before, now) => now > before,
  maxLength: (before, now) => now > before,
  maxItems: (before, now) => now > before,
};
