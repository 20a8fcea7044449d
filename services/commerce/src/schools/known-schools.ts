import type { FactOf } from '@lyceum/contracts';
import { type Collection, type Documents, type Projection, rowAs } from '@lyceum/documents';
import { Problem } from '@lyceum/web';
import { type Tax, untaxed } from '../money/tax.ts';

const schools: Collection = { name: 'schools', version: 2, fields: {} };
const only = 'school';

type Said<Type> = Partial<Extract<FactOf<'school'>, { type: Type }>['data']>;
type Told = Said<'SchoolProvisioned'> & Said<'SchoolChanged'>;

/** Why a school is not open; null = it is. */
const closures: Readonly<Record<string, 'suspended' | 'closed' | null>> = {
  SchoolSuspended: 'suspended',
  SchoolResumed: null,
  SchoolClosed: 'closed',
};

/** What is known of a school that sells something. */
export interface KnownSchool {
  readonly name: string;
  /** ISO 4217: what prices, coupons and orders are in. */
  readonly currency: string;
  /** BCP 47. */
  readonly locale: string;
  /** IANA name. */
  readonly timezone: string;
  readonly tax: Tax;
  /** Whether access rests while its payment is disputed. */
  readonly suspends_disputed: boolean;
  /** Why it is not open; null = it is. */
  readonly closure: 'suspended' | 'closed' | null;
}

/** What the service knows of its schools, from the integration events of the school service. */
export const schoolProjection: Projection = {
  collection: schools,
  key: ({ type }) =>
    type === 'SchoolProvisioned' || type === 'SchoolChanged' || Object.hasOwn(closures, type) ? only : undefined,
  project({ type, data }, before) {
    const known = rowAs<KnownSchool>(before);
    const told: Told = data as Told;
    return {
      name: told.name ?? known?.name,
      currency: told.currency ?? known?.currency,
      locale: told.locale ?? known?.locale,
      timezone: told.timezone ?? known?.timezone,
      tax: told.tax ?? known?.tax ?? untaxed,
      suspends_disputed: told.suspend_access_on_dispute ?? known?.suspends_disputed ?? false,
      closure: (Object.hasOwn(closures, type) ? closures[type] : known?.closure) ?? null,
    };
  },
};

/** The version before, which kept nothing of disputes and closures, while the present one is built. */
export const schoolProjectionBefore: Projection = { ...schoolProjection, collection: { ...schools, version: 1 } };

interface Reading {
  readonly documents: Pick<Documents, 'get'>;
}

const rowOf = async ({ documents }: Reading, school: string): Promise<KnownSchool | undefined> =>
  rowAs<KnownSchool>(await documents.get(schools, school, only));

/** Whether a school lets access rest while its payment is disputed: not while nothing is known of it. */
export const suspendsDisputed = async (ports: Reading, school: string): Promise<boolean> =>
  (await rowOf(ports, school))?.suspends_disputed ?? false;

/** Why a school is not open; null = it is, as far as is known. */
export const closureOf = async (ports: Reading, school: string): Promise<KnownSchool['closure']> =>
  (await rowOf(ports, school))?.closure ?? null;

/** A school. Throws the 503 problem while the fact about a new one has not arrived. */
export async function knownSchool(ports: Reading, school: string): Promise<KnownSchool> {
  const known = await rowOf(ports, school);
  if (!known)
    throw new Problem('temporarily_unavailable', 'The school is not known here yet: the school service is awaited', {
      headers: { 'Retry-After': '1' },
    });
  return known;
}
