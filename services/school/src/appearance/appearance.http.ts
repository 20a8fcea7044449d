import type { Role } from '@lyceum/contracts';
import { fold } from '@lyceum/eventlog';
import {
  type Call,
  type Deciding,
  type Operation,
  type Ports,
  type Reply,
  type StatusTable,
  accepted,
  asOf,
  attempt,
  operation,
} from '@lyceum/web';
import { z } from 'zod';
import { draftBody } from './appearance.input.ts';
import { appearanceDocument, appearanceReply, draftDocument, draftReply } from './appearance.schema.ts';
import { type AppearanceCode, type AppearanceCommand, appearanceDecider, appearanceStream } from './appearance.ts';

const path = '/api/appearance';
const staff: readonly Role[] = ['owner', 'admin'];
const writing = { area: 'appearance', scope: 'appearance:write', anonymous: false, roles: staff, staff } as const;

const statuses = { not_ready: 409, not_found: 404 } as const satisfies StatusTable<AppearanceCode>;

const now = ({ school }: Pick<Call, 'school'>, { log }: Pick<Ports, 'log'>) =>
  fold(log, appearanceDecider, school, appearanceStream);

async function change(
  call: Deciding,
  ports: Pick<Ports, 'log'>,
  command: AppearanceCommand,
  show: typeof appearanceDocument | typeof draftDocument,
): Promise<Reply> {
  const done = accepted(await attempt(call, ports, appearanceDecider, appearanceStream, command), statuses);
  return { body: show(done.state, done.version), ...asOf(done) };
}

const get = operation({
  id: 'getAppearance',
  method: 'GET',
  path,
  area: 'appearance',
  summary: 'Read how the school looks',
  description: 'What is public now. Staff also see what can be rolled back to.',
  scope: 'appearance:read',
  anonymous: true,
  staff,
  status: 200,
  reply: appearanceReply,
  async handle(call, ports) {
    const found = await now(call, ports);
    return { body: appearanceDocument(found.state, found.version), ...asOf(found) };
  },
});

const getDraft = operation({
  id: 'getAppearanceDraft',
  method: 'GET',
  path: `${path}/draft`,
  area: 'appearance',
  summary: 'Read the draft',
  description: 'What would be published. Without a draft this is what is public, to begin with.',
  scope: 'appearance:read',
  anonymous: false,
  roles: staff,
  staff,
  status: 200,
  reply: draftReply,
  async handle(call, ports) {
    const found = await now(call, ports);
    return { body: draftDocument(found.state, found.version), ...asOf(found) };
  },
});

const putDraft = operation({
  ...writing,
  id: 'saveAppearanceDraft',
  method: 'PUT',
  path: `${path}/draft`,
  summary: 'Save the draft',
  description: 'Replaces the draft. `warnings` tells which colours are hard to read; nothing is refused for that.',
  body: draftBody,
  ifMatch: 'required',
  status: 200,
  reply: draftReply,
  handle: (call, ports) => change(call, ports, { type: 'SaveDraft', look: call.body }, draftDocument),
});

const publish = operation({
  ...writing,
  id: 'publishAppearance',
  method: 'POST',
  path: `${path}/publish`,
  summary: 'Publish the draft',
  description: 'Everybody sees it from now on, also on the sign-in pages. It becomes a revision; twenty are kept.',
  ifMatch: 'accepted',
  status: 200,
  reply: appearanceReply,
  errors: ['not_ready'],
  handle: (call, ports) => change(call, ports, { type: 'PublishDraft' }, appearanceDocument),
});

const discard = operation({
  ...writing,
  id: 'discardAppearanceDraft',
  method: 'POST',
  path: `${path}/discard`,
  summary: 'Discard the draft',
  description: 'The draft is again what is public. Without a draft nothing changes.',
  ifMatch: 'accepted',
  status: 200,
  reply: draftReply,
  handle: (call, ports) => change(call, ports, { type: 'DiscardDraft' }, draftDocument),
});

const rollBack = operation({
  ...writing,
  id: 'rollBackAppearance',
  method: 'POST',
  path: `${path}/rollback`,
  summary: 'Publish an earlier revision again',
  description: 'As a new revision. The draft stays as it is.',
  body: z.strictObject({ revision: z.int().min(1) }),
  ifMatch: 'accepted',
  status: 200,
  reply: appearanceReply,
  errors: ['not_found'],
  handle: (call, ports) => change(call, ports, { type: 'RollBackLook', to: call.body.revision }, appearanceDocument),
});

/** All operations on the appearance of a school. */
export const appearanceOperations: readonly Operation[] = [get, getDraft, putDraft, publish, discard, rollBack];
