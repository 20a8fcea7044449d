import { type Incoming } from '@lyceum/documents';
import type { DomainEvent } from '@lyceum/kernel';
import type { ModulePorts, ProcessManager } from '@lyceum/service';

/** A letter to somebody, or a note that they were reminded. */
type Letter =
  | { readonly send: 'welcome'; readonly person: string; readonly school: string }
  | { readonly note: 'reminded'; readonly person: string };

/** Milliseconds after which people are reminded. */
const patience = 1_500;

/** Where the letters of a school go: its own receiver. */
const addressOf = (person: string, school: string): string => `${person}@${school}`;

/** Welcomes whoever was added, and reminds them later. */
export const letters: ProcessManager<null, DomainEvent, Letter, ModulePorts> = {
  name: 'letters',
  events: {},
  initial: null,
  evolve: () => null,
  correlate: ({ type, stream }: Incoming) => (type === 'PersonAdded' ? stream : undefined),
  react(input, _, now) {
    if (input.kind === 'event') {
      const { stream: person, tenant: school } = input.event;
      const due = new Date(Date.parse(now) + patience).toISOString();
      return { commands: [{ send: 'welcome', person, school }], set: { [person]: due } };
    }
    return input.kind === 'timer' ? { commands: [{ note: 'reminded', person: input.timer }] } : {};
  },
  async carryOut(letter, { tenant, commitId, at, meta }, { mail, log }) {
    if ('send' in letter) {
      const to = addressOf(letter.person, letter.school);
      await mail.send({ to, subject: letter.send, text: '', idempotencyKey: `${letter.person}/${commitId}` });
      return {};
    }
    const events = [{ stream: `reminder-${letter.person}`, type: 'Reminded', schema: 1, data: {} }];
    return log.append({ tenant, expectations: [], events, commitId, fingerprint: '', at, meta });
  },
};
