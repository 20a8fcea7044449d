import { type Rejection, reject, same } from '@lyceum/kernel';
import { type Publication, publicContent } from './publication.state.ts';

/** What can be asked of something that is published. Times are RFC 3339 UTC. */
export type PublicationCommand =
  | { readonly type: 'PublishDraft' }
  | { readonly type: 'SchedulePublication'; readonly at: string; readonly now: string }
  /** What a timer asks for: nothing where it is to be published later, or not any more. */
  | { readonly type: 'PublishScheduled'; readonly now: string }
  | { readonly type: 'CancelSchedule' }
  | { readonly type: 'Unpublish' }
  | { readonly type: 'RollBack'; readonly to: number }
  | { readonly type: 'ArchivePublication' };

/** What a command can be rejected for. */
export type PublicationCode = 'invalid_state' | 'not_found' | 'in_past';

/** What happens: the thing that is published has an event for each. */
export type PublicationStep =
  | { readonly do: 'publish'; readonly revision: number; readonly of?: number }
  | { readonly do: 'schedule'; readonly scheduled_for: string }
  | { readonly do: 'unschedule' | 'unpublish' | 'archive' };

/** The events of a kind of thing, for each step. */
interface StepEvents<Content, Event> {
  publish(counted: { readonly revision: number; readonly of?: number }, content: Content): Event;
  schedule(scheduled_for: string): Event;
  readonly unschedule: Event;
  readonly unpublish: Event;
  readonly archive: Event;
}

type Decision = readonly PublicationStep[] | Rejection<PublicationCode>;

const archived = (what: string) => reject('invalid_state', `What is archived cannot be ${what}`);

/** Decides what becomes of something that is published. Pure. */
export function decidePublication<Content>(command: PublicationCommand, state: Publication<Content>): Decision {
  switch (command.type) {
    case 'PublishDraft':
      return state.status === 'archived' ? archived('published') : publish(state);
    case 'SchedulePublication':
      return schedule(command, state);
    case 'PublishScheduled':
      return state.scheduled_for !== null && state.scheduled_for <= command.now ? publish(state) : [];
    case 'CancelSchedule':
      return state.scheduled_for === null ? [] : [{ do: 'unschedule' }];
    case 'Unpublish':
      return unpublish(state);
    case 'RollBack':
      return rollBack(command.to, state);
    case 'ArchivePublication':
      return archive(state);
  }
}

const nextRevision = ({ revisions }: Publication<unknown>): number => (revisions[0]?.revision ?? 0) + 1;

/** What is public already is not published again. */
function publish<Content>(state: Publication<Content>): Decision {
  const isPublic = same(publicContent(state), state.draft);
  if (isPublic) return state.scheduled_for === null ? [] : [{ do: 'unschedule' }];
  return [{ do: 'publish', revision: nextRevision(state) }];
}

function schedule(
  { at, now }: Extract<PublicationCommand, { type: 'SchedulePublication' }>,
  { status, scheduled_for }: Publication<unknown>,
): Decision {
  if (status === 'archived') return archived('scheduled');
  if (at <= now) return reject('in_past', 'The time to publish at must be in the future');
  return scheduled_for === at ? [] : [{ do: 'schedule', scheduled_for: at }];
}

function unpublish({ status }: Publication<unknown>): Decision {
  if (status === 'unpublished') return [];
  if (status === 'published') return [{ do: 'unpublish' }];
  if (status === 'scheduled') return [{ do: 'unschedule' }];
  return reject('invalid_state', `What is ${status === 'draft' ? 'a draft' : status} is not public`);
}

function rollBack<Content>(to: number, state: Publication<Content>): Decision {
  if (state.status === 'archived') return archived('rolled back');
  const found = state.revisions.find(({ revision }) => revision === to);
  if (!found) return reject('not_found', 'This revision is not kept');
  return same(publicContent(state), found.content) ? [] : [{ do: 'publish', revision: nextRevision(state), of: to }];
}

function archive({ status, revisions }: Publication<unknown>): Decision {
  if (status === 'archived') return [];
  if (revisions.length === 0) return reject('invalid_state', 'A draft was never public: delete it instead');
  return status === 'published' ? [{ do: 'unpublish' }, { do: 'archive' }] : [{ do: 'archive' }];
}

/** The events that steps are for a thing of a kind. */
export const stepEvents = <Content, Event>(
  steps: readonly PublicationStep[],
  { revisions, draft }: Publication<Content>,
  events: StepEvents<Content, Event>,
): readonly Event[] =>
  steps.map((step) => {
    if (step.do === 'schedule') return events.schedule(step.scheduled_for);
    if (step.do !== 'publish') return events[step.do];
    const { do: _published, ...counted } = step;
    return events.publish(counted, revisions.find(({ revision }) => revision === step.of)?.content ?? draft);
  });
