import { type Call, type Operation, Problem, operation } from '@lyceum/web';
import { z } from 'zod';
import { type KeyRing, published } from '../domain/keys/key-ring.ts';
import type { SigningKeys } from '../domain/keys/signing-keys.ts';
import type { KnownSchools } from '../school-projections/school.ts';

const school = z
  .string()
  .meta({ description: 'Id of the school', example: 'school_0198f3a2-7c1b-7000-8000-000000000001' });
const query = z.object({ school });
const body = z.strictObject({
  school,
  at_once: z
    .boolean()
    .default(false)
    .meta({ description: 'After a theft: the new keys sign now, and every token of before is void' }),
});

const reply = z
  .object({
    object: z.literal('signing_keys'),
    school: z.string(),
    keys: z.array(
      z.object({
        kid: z.string(),
        alg: z.string(),
        status: z.enum(['next', 'current', 'previous']),
        since: z.string().meta({ description: 'RFC 3339' }),
      }),
    ),
  })
  .meta({ id: 'SigningKeys' });

const shown = (id: string, ring: KeyRing): z.output<typeof reply> => ({
  object: 'signing_keys',
  school: id,
  keys: published(ring).map(({ kid, alg, status, since }) => ({
    kid,
    alg,
    status: status === 'retired' ? 'previous' : status,
    since: new Date(since * 1000).toISOString(),
  })),
});

type Looking = Call<{ readonly query: typeof query }>;
type Rotating = Call<{ readonly body: typeof body }>;

/** What the operator may do with the signing keys of a school. */
export function signingKeyOperations(schools: KnownSchools, keys: SigningKeys): readonly Operation[] {
  const known = async (id: string): Promise<string> => {
    if (!(await schools.get(id))) throw new Problem('not_found', 'There is no such school');
    return id;
  };
  return [
    operation({
      id: 'listSigningKeys',
      method: 'GET',
      path: '/internal/signing-keys',
      area: 'keys',
      summary: 'Show the signing keys of a school',
      anonymous: true,
      query,
      status: 200,
      reply,
      errors: ['not_found'],
      handle: async (call: Looking) => {
        const id = await known(call.query.school);
        return { body: shown(id, await keys.ring(id)) };
      },
    }),
    operation({
      id: 'rotateSigningKeys',
      method: 'POST',
      path: '/internal/signing-keys/rotate',
      area: 'keys',
      summary: 'Rotate the signing keys of a school',
      description: 'The next keys are published now and sign a day later, unless `at_once` is set.',
      anonymous: true,
      body,
      status: 200,
      reply,
      errors: ['not_found'],
      handle: async (call: Rotating) => {
        const id = await known(call.body.school);
        await keys.begin(id);
        return { body: shown(id, await (call.body.at_once ? keys.replace(id) : keys.stage(id))) };
      },
    }),
  ];
}
