import { Problem } from '@lyceum/web';
import { z } from 'zod';
import { identifier, reference } from './text/slugs.ts';

/** Marks members of a schema that the staff see only. */
export const staff = { sees: 'staff' } as const;

/** The members that every reply about a thing begins and ends with. `object`: the name of its kind. */
export const membersOf = <Object extends string>(noun: string, object: Object) => ({
  first: {
    id: z.string().meta({ example: `${noun}_0195a3c2-7d10-7abc-8def-0123456789ab` }),
    object: z.literal(object),
  },
  last: {
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
    version: z.int().min(1).meta({ description: 'Also the ETag: send it in If-Match.' }),
    view: z.enum(['anonymous', 'member', 'staff']).meta({ description: 'How much of it this is.' }),
  },
});

/** The path parameter that names a thing by id, and by slug where its kind has one. */
export const paramsOf = (noun: string, hasSlugs = true): z.ZodObject<Readonly<Record<string, z.ZodString>>> =>
  z.object({ [noun]: hasSlugs ? reference(noun) : identifier(noun) });

/** The id or slug that a path names a thing by. Throws 404 when it names none. */
export function refIn(params: Readonly<Record<string, string>>, noun: string): string {
  const ref = params[noun];
  if (ref === undefined) throw new Problem('not_found');
  return ref;
}
