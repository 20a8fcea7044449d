import type { z } from 'zod';
import { engineSettings } from './engine-settings.ts';
import { mailSettings } from './mailing.ts';
import type { AnyModule } from '@lyceum/service';
import { isWhole, missingPeers, peerSettings } from './peers.ts';
import { routeSettings } from './routes.ts';
import { processSettings } from './settings.ts';
import { tracingSettings } from './tracing.ts';
import { keySettings } from './wrapping-keys.ts';

/** A setting as its schema says it. */
export interface DescribedSetting {
  readonly variable: string;
  readonly about: string;
  /** What is taken when the variable is not set, where that is a fixed value. */
  readonly standard: string | undefined;
  /** What would do, as a refusal says it; undefined where any text does. */
  readonly expected: string | undefined;
  readonly isSecret: boolean;
}

/** Settings that belong together. */
export interface DescribedSettings {
  readonly of: string;
  readonly settings: readonly DescribedSetting[];
}

/** Every setting of a program, in the words of its schema: for documents that say what the code says. */
export function describedSettings(modules: readonly AnyModule[]): readonly DescribedSettings[] {
  const apart = { ...engineSettings, ...mailSettings, ...keySettings, ...tracingSettings, ...routeSettings };
  const shape = Object.entries(processSettings.shape).filter(([variable]) => !(variable in apart));
  const alone = modules.filter((module) => !isWhole([module]) && missingPeers([module]).length > 0);
  const peers = Object.assign({}, ...alone.map((module) => peerSettings([module]).shape)) as z.ZodRawShape;
  return [
    { of: 'every process', settings: described(Object.fromEntries(shape)) },
    { of: 'keys', settings: described(keySettings) },
    { of: 'mail', settings: described(mailSettings) },
    { of: 'engines', settings: described(engineSettings) },
    { of: 'traces', settings: described(tracingSettings) },
    { of: 'other processes', settings: described({ ...peers, ...routeSettings }) },
    ...modules.flatMap(({ name, settings }) =>
      settings ? [{ of: `service ${name}`, settings: described((settings as unknown as z.ZodObject).shape) }] : [],
    ),
  ];
}

const described = (shape: z.ZodRawShape): DescribedSetting[] =>
  Object.entries(shape).map(([variable, schema]) => {
    const type = schema as z.ZodType;
    const { description = '', secret } = type.meta() ?? {};
    return {
      variable,
      about: String(description),
      standard: standardOf(type),
      expected: expectedOf(type),
      isSecret: secret === true,
    };
  });

/** The part of a schema that holds its default. */
interface Inside {
  readonly type: string;
  readonly defaultValue?: unknown;
  readonly innerType?: z.ZodType;
  readonly in?: z.ZodType;
}

function standardOf(type: z.ZodType): string | undefined {
  const { type: kind, defaultValue, innerType, in: before } = type.def as Inside;
  if (kind === 'default') return defaultValue === '' ? undefined : String(defaultValue);
  const inner = innerType ?? before;
  return inner && standardOf(inner);
}

/** A text that no setting takes which has any form at all. */
const nonsense = ' \u0001,[ ';

function expectedOf(type: z.ZodType): string | undefined {
  const parsed = type.safeParse(nonsense);
  return parsed.success ? undefined : parsed.error.issues[0]!.message;
}
