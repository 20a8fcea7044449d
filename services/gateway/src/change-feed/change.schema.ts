import { type FactSource, factSources, factsOf } from '@lyceum/contracts';
import { z } from 'zod';
import { type ChangeRule, changeRules } from './change.rules.ts';

const envelope = {
  specversion: z.literal('1.0'),
  id: z.string().meta({ description: 'The same when a change comes again' }),
  source: z.string().meta({ description: 'The service that it happened in', example: '/services/catalog' }),
  subject: z.string().meta({ description: 'What it happened to, as the API names it' }),
  time: z.iso.datetime(),
  schoolid: z.string(),
  version: z.number().int().meta({ description: 'Grows with the changes of a subject' }),
};

const named = new Map<string, z.ZodType>();

/** The data of a kind of fact as readers find it; named after the first kind that has such data. */
function shownData(type: string, data: z.ZodObject, rule: ChangeRule): z.ZodType {
  const shown = readable(data, rule);
  const shape = JSON.stringify(z.toJSONSchema(shown));
  const known = named.get(shape) ?? shown.meta({ id: `${type}Data` });
  named.set(shape, known);
  return known;
}

function readable(data: z.ZodObject, { never = [], sometimes = [] }: ChangeRule): z.ZodObject {
  const fields = Object.entries(data.shape).filter(([name]) => !never.includes(name));
  const shape = fields.map(([name, field]) => [name, sometimes.includes(name) ? z.optional(field) : field]);
  return z.object(Object.fromEntries(shape));
}

const changesOf = (source: FactSource) =>
  Object.entries(changeRules[source]).map(([type, rule]) => {
    const { data } = factsOf(source)[type]!;
    return z
      .object({ ...envelope, type: z.literal(type), data: shownData(type, data, rule) })
      .meta({ id: type, description: `${rule.means}. Needs ${rule.scope}, when there is a token.` });
  });

type Kind = ReturnType<typeof changesOf>[number];

const kinds = factSources.flatMap(changesOf) as [Kind, ...Kind[]];

/** A change in its envelope, distinguished by its type. */
const knownChange = z.discriminatedUnion('type', kinds).meta({
  id: 'Change',
  description:
    '`type` tells what `data` is. `subject` is an id of the API, a domain, or the place of what has no id: `appearance`, `course_…/curriculum`. Changes of a subject come in their order.',
  discriminator: { propertyName: 'type' },
});

/** A change as it is sent. A change of a newer release goes through unchanged. */
export const change = knownChange.catch((context) => context?.value as z.output<typeof knownChange>);
