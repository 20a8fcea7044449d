import { execute } from '@lyceum/eventlog';
import { erasedSubject, isoTime, uuidv5 } from '@lyceum/kernel';
import { type ModulePorts, type Reaction, forRowsAbout } from '@lyceum/service';
import { comments } from './comment.rows.ts';
import { commentDecider } from '../comment.ts';

type ErasingPorts = Pick<ModulePorts, 'log' | 'clock'>;

async function deleteForgotten({ log, clock }: ErasingPorts, tenant: string, stream: string): Promise<void> {
  await execute(log, commentDecider, {
    tenant,
    stream,
    // Those who were told of the comment are told of its end.
    command: { type: 'DeleteComment', by: 'system', isPublic: false },
    at: isoTime(clock.now()),
    meta: { actor: 'system' },
    commitId: uuidv5('comment-of-erased', tenant, stream),
  });
}

const ofAuthor = { service: 'content', collection: comments, field: 'author_id' };

/**
 * A member is erased: with their key nobody reads what they wrote, and their comments count no more. Whoever is erased cannot
 * write: there is none after the erasure in the log, for its body could not be encrypted.
 */
export const erasingAuthors: Reaction = {
  name: 'authors-of-comments',
  events: ['SubjectErased'],
  async perform(event, ports) {
    const subject = erasedSubject(event);
    if (subject === undefined) return;
    await forRowsAbout(ports, ofAuthor, event, subject, ({ id }) => deleteForgotten(ports, event.tenant, id));
  },
};
