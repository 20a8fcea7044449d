import { referenceEvents } from '@lyceum/contracts';
import { type Decider, differences, reject } from '@lyceum/kernel';
import { type ProfileEvent, type SchoolFields, profileEvents } from './profile.events.ts';

/** The one stream of a school with what it says of itself. */
export const profileStream = 'profile';

/** Where a school began. */
export type Provisioned = { readonly [Field in 'name' | 'locale' | 'timezone' | 'currency']: string };

/** What was said of a school since it was provisioned. */
export interface ProfileState {
  readonly said: SchoolFields;
  readonly isCurrencyLocked: boolean;
  /** RFC 3339; null = nothing was said. */
  readonly changed_at: string | null;
}

type Given<Field extends keyof SchoolFields> = NonNullable<SchoolFields[Field]>;

const parts = ['legal', 'tax', 'notifications'] as const;
type Part = (typeof parts)[number];

/** The changes of a school: objects are given in part, and merged. An empty text clears what is personal. */
export type SchoolChanges = Omit<SchoolFields, Part> & {
  readonly [Field in Part]?: { readonly [Name in keyof Given<Field>]?: Given<Field>[Name] | undefined } | undefined;
};

/** What may be asked of a school's profile. */
export type ProfileCommand =
  /** `isOwner`: only owners decide about the currency. */
  | {
      readonly type: 'ChangeSchool';
      readonly changes: SchoolChanges;
      readonly provisioned: Provisioned;
      readonly isOwner: boolean;
    }
  | { readonly type: 'LockCurrency' };

/** Why a change is refused. */
export type ProfileCode = 'currency_locked' | 'access_denied';

/** A school of which nothing was said. */
const silent: Required<Omit<SchoolFields, keyof Provisioned>> = {
  tagline: null,
  logo: null,
  favicon: null,
  contact_email: '',
  social_links: [],
  legal: { terms: null, privacy: null, imprint: null },
  navigation: [],
  student_email_to_lecturers: false,
  comment_policy: 'first_time_held',
  tax: { inclusive: true, rate_bp: 0 },
  suspend_access_on_dispute: false,
  invoice_details: '',
  notifications: { orders: true, comments: true, submissions: true },
};

/** What a school says of itself now. */
export const profileOf = ({ name, locale, timezone, currency }: Provisioned, { said }: Pick<ProfileState, 'said'>) =>
  Object.assign({}, silent, { name, locale, timezone, currency }, said);

type Profile = ReturnType<typeof profileOf>;

/** The changes with whole objects, as an event tells them. */
function whole({ legal, tax, notifications, ...flat }: SchoolChanges, now: Profile): SchoolFields {
  return {
    ...flat,
    ...(legal ? { legal: Object.assign({}, now.legal, legal) } : {}),
    ...(tax ? { tax: Object.assign({}, now.tax, tax) } : {}),
    ...(notifications ? { notifications: Object.assign({}, now.notifications, notifications) } : {}),
  };
}

/** A school that has sold something keeps its currency: what was paid, and what is owed, is counted in it. */
export const profileDecider: Decider<ProfileState, ProfileCommand, ProfileEvent, ProfileCode> = {
  events: profileEvents,
  initial: { said: {}, isCurrencyLocked: false, changed_at: null },
  decide(command, state) {
    if (command.type === 'LockCurrency') return state.isCurrencyLocked ? [] : [{ type: 'CurrencyLocked', data: {} }];
    const now = profileOf(command.provisioned, state);
    const different = differences(now, whole(command.changes, now));
    if (!different) return [];
    if (different.currency !== undefined && !command.isOwner)
      return reject('access_denied', 'Only an owner may change the currency');
    if (different.currency !== undefined && state.isCurrencyLocked)
      return reject('currency_locked', 'The school has sold something in its present currency');
    const after = Object.assign({}, now, different);
    const references = referenceEvents([now.logo, now.favicon], [after.logo, after.favicon]);
    return [{ type: 'SchoolChanged', data: different }, ...references];
  },
  evolve(state, event, { at }) {
    if (event.type === 'FileReferenced' || event.type === 'FileReleased') return state;
    return event.type === 'CurrencyLocked'
      ? { ...state, isCurrencyLocked: true, changed_at: at }
      : { ...state, said: { ...state.said, ...event.data }, changed_at: at };
  },
};
