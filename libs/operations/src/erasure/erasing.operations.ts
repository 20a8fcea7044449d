import { type Call, type Operation, Problem, operation } from '@lyceum/web';
import { z } from 'zod';
import type { Vault } from '@lyceum/eventlog';
import type { Eraser } from './erasing.ts';

const params = z.object({
  subject: z
    .string()
    .regex(/^[\w-]{1,100}$/)
    .meta({
      description: 'Id of the person, the `sub` of their tokens',
      example: 'account_0198f3a2-7c1b-7000-8000-000000000001',
    }),
});

const body = z
  .strictObject({
    school: z
      .string()
      .min(1)
      .max(100)
      .meta({ description: 'Id of the school', example: 'school_0198f3a2-7c1b-7000-8000-000000000001' }),
  })
  .meta({ id: 'EraseSubject' });

const reply = z
  .object({
    object: z.literal('erasure'),
    subject: z.string(),
    school: z.string(),
    services: z
      .array(z.string())
      .meta({ description: 'Services of this process that had data; others follow by themselves' }),
  })
  .meta({ id: 'Erasure' });

const rewrapped = z
  .object({
    object: z.literal('rewrap'),
    keys: z.int().meta({ description: 'School keys wrapped anew; 0 = no predecessor is needed any more' }),
  })
  .meta({ id: 'Rewrap' });

type Erasing = Call<{ readonly params: typeof params; readonly body: typeof body }>;

/** Erases a person from every service of this process that holds data about them. */
const eraseSubject = (erasers: readonly Eraser[]): Operation =>
  operation({
    id: 'eraseSubject',
    method: 'POST',
    path: '/internal/subjects/{subject}/erase',
    area: 'subjects',
    summary: 'Erase a person',
    description:
      'Destroys the key of all personal fields about the person, for ever, in the log of every service; read models are purged. May be repeated.',
    anonymous: false,
    params,
    body,
    status: 200,
    reply,
    errors: ['not_found'],
    async handle({ params: { subject }, body: { school }, meta, at }: Erasing) {
      const knowing: Eraser[] = [];
      for (const eraser of erasers) if (await eraser.knows(school, subject)) knowing.push(eraser);
      if (knowing.length === 0) throw new Problem('not_found', 'No service here has personal data about this subject');
      await Promise.all(knowing.map((eraser) => eraser.erase(school, subject, meta, at)));
      return { body: { object: 'erasure', subject, school, services: knowing.map(({ service }) => service) } };
    },
  });

/** Wraps the keys of all schools under the current wrapping key. */
const rewrapKeys = (vaults: readonly Vault[]): Operation =>
  operation({
    id: 'rewrapKeys',
    method: 'POST',
    path: '/internal/keys/rewrap',
    area: 'keys',
    summary: 'Wrap all keys under the current wrapping key',
    description:
      'After KEY_ENCRYPTION_KEY has changed and its predecessor is in KEY_ENCRYPTION_KEY_PREVIOUS. Cut off, it is simply run again.',
    anonymous: false,
    status: 200,
    reply: rewrapped,
    async handle() {
      let keys = 0;
      for (const vault of vaults) keys += await vault.rewrap();
      return { body: { object: 'rewrap', keys } };
    },
  });

/** What the operator may do with keys and the people behind them. */
export const erasingOperations = (erasers: readonly Eraser[], vaults: readonly Vault[]): readonly Operation[] => [
  ...(erasers.length > 0 ? [eraseSubject(erasers)] : []),
  rewrapKeys(vaults),
];
