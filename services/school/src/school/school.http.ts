import type { Role } from '@lyceum/contracts';
import type { EventLog } from '@lyceum/eventlog';
import type { Decider, DomainEvent } from '@lyceum/kernel';
import {
  type Call,
  type Deciding,
  type Operation,
  Problem,
  type Reply,
  type StatusTable,
  accepted,
  attempt,
  operation,
} from '@lyceum/web';
import type { z } from 'zod';
import { lifecycleDecider, lifecycleStream } from './lifecycle.ts';
import { type SchoolChanges, profileDecider, profileStream } from './profile.ts';
import { type SchoolNow, matching, schoolDocument, schoolNow } from './school.now.ts';
import { imageOf } from '@lyceum/service';
import { changeSchoolBody, closeSchoolBody, schoolReply, signUpBody } from './school.schema.ts';
import { schoolDecider } from './school.ts';

const path = '/api/school';
const staff: readonly Role[] = ['owner', 'admin'];
const writing = { area: 'school', scope: 'school:write', anonymous: false, staff, ifMatch: 'accepted' } as const;
const statuses = {
  not_found: 404,
  currency_locked: 409,
  access_denied: 403,
  invalid_state: 409,
} as const satisfies StatusTable;

type Ports = { readonly log: EventLog };

/** What an area beside tells the staff of a school: the domains at which it answers, and how many it may have. */
export type DomainsOf = (ports: Ports, school: string) => Promise<object>;

/** The school as a view shows it: its staff also see its domains. */
const showing =
  (domainsOf: DomainsOf) =>
  async (ports: Ports, now: SchoolNow, { school, view }: Pick<Call, 'school' | 'view'>): Promise<Reply> => {
    const { version, lane, position } = now;
    const document = schoolDocument(now, school);
    const body = view === 'staff' ? { ...document, ...(await domainsOf(ports, school)) } : document;
    return { body, version, observed: { lane, position } };
  };

type Shown = ReturnType<typeof showing>;

/** Brings a command to one of the school's streams; If-Match counts for the whole school. */
async function change<State, Command, Event extends DomainEvent, Code extends keyof typeof statuses>(
  call: Deciding & Pick<Call, 'view'>,
  ports: Ports,
  shown: Shown,
  decider: Decider<State, Command, Event, Code>,
  stream: string,
  commandFrom: (now: SchoolNow) => NoInfer<Command>,
): Promise<Reply> {
  const { expected, command } = await matching(call, ports, stream, commandFrom);
  accepted(await attempt({ ...call, expected }, ports, decider, stream, command), statuses);
  return shown(ports, await schoolNow(ports, call.school), call);
}

/** The school that the request is for, read from its events. */
const get = (shown: Shown) =>
  operation({
    id: 'getSchool',
    method: 'GET',
    path,
    area: 'school',
    summary: 'Read the school',
    description: 'What the school says of itself. Owners and admins also see how it is run.',
    scope: 'school:read',
    anonymous: true,
    staff,
    status: 200,
    reply: schoolReply,
    handle: async (call, ports) => shown(ports, await schoolNow(ports, call.school), call),
  });

/** The images of a school as they are kept. */
type Images = Partial<Record<'logo' | 'favicon', string>>;

/** The changes that a merge patch asks for: an empty text is none where an event cannot hold null, which would mean erased. */
function changesOf({ settings = {}, ...body }: z.output<typeof changeSchoolBody>, images: Images): SchoolChanges {
  const cleared = { contact_email: '', invoice_details: '', social_links: [], navigation: [] };
  const given = Object.entries({ ...body, ...images, ...settings }).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given.map(([field, value]) => [field, value ?? Reflect.get(cleared, field) ?? null]));
}

/** What a request means by its images, as they are kept: the id of a file, or an address elsewhere. */
async function imagesNamed(
  call: Pick<Call, 'school' | 'issuer' | 'principal'> & { readonly body: z.output<typeof changeSchoolBody> },
  ports: Parameters<typeof imageOf>[1],
): Promise<Images> {
  const images: { -readonly [Name in keyof Images]: Images[Name] } = {};
  for (const name of ['logo', 'favicon'] as const) {
    const text = call.body[name];
    if (text === undefined || text === null) continue;
    const image = await imageOf(call, ports, text, { path: name, purposes: ['page_image'], known: null });
    images[name] = 'file' in image ? image.file : image.url;
  }
  return images;
}

const patch = (shown: Shown) =>
  operation({
    ...writing,
    id: 'changeSchool',
    method: 'PATCH',
    path,
    summary: 'Change the school',
    description:
      'A JSON Merge Patch. Owners and admins may change everything but the currency, which only an owner may, until something is sold. Domains, who may sign up and closing have operations of their own.',
    roles: staff,
    body: changeSchoolBody,
    status: 200,
    reply: schoolReply,
    errors: ['currency_locked', 'file_not_ready', 'temporarily_unavailable'],
    async handle(call, ports) {
      const changes = changesOf(call.body, await imagesNamed(call, ports));
      return change(call, ports, shown, profileDecider, profileStream, ({ school }) => ({
        type: 'ChangeSchool' as const,
        changes,
        provisioned: school,
        isOwner: call.principal?.role === 'owner',
      }));
    },
  });

/** Who may open an account. */
const setSignUp = (shown: Shown) =>
  operation({
    ...writing,
    id: 'setSignUp',
    method: 'PUT',
    path: `${path}/sign_up`,
    summary: 'Set who may open an account',
    description: 'open: anybody, as a member; invited: only who has an invitation. In force within a second.',
    roles: staff,
    body: signUpBody,
    status: 200,
    reply: schoolReply,
    handle: (call, ports) =>
      change(call, ports, shown, schoolDecider, call.school, () => ({
        type: 'SetSignUp' as const,
        sign_up: call.body.sign_up,
      })),
  });

const close = (shown: Shown) =>
  operation({
    ...writing,
    id: 'closeSchool',
    method: 'POST',
    path: `${path}/close`,
    summary: 'Close the school for ever',
    description:
      'Nobody but its owners, admins and lecturers can read it from then on, and nobody can change it. Nothing opens it again: the body names its slug.',
    roles: ['owner'],
    body: closeSchoolBody,
    status: 200,
    reply: schoolReply,
    errors: ['validation_failed'],
    handle: (call, ports) =>
      change(call, ports, shown, lifecycleDecider, lifecycleStream, ({ school }) => {
        if (call.body.slug !== school.slug)
          throw new Problem('validation_failed', 'This is not the slug of the school', {
            details: [{ path: 'slug', code: 'mismatch', message: 'must be the slug of the school' }],
          });
        return { type: 'CloseSchool' as const, by: call.principal!.subject };
      }),
  });

/** All operations on the school itself. */
export const schoolOperations = (domainsOf: DomainsOf): readonly Operation[] => {
  const shown = showing(domainsOf);
  return [get(shown), patch(shown), setSignUp(shown), close(shown)];
};
