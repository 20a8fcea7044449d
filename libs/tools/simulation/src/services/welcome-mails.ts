import { type Incoming } from '@lyceum/documents';
import type { DomainEvent } from '@lyceum/kernel';
import type { ModulePorts, ProcessManager } from '@lyceum/service';

/** Sends a mail to a person, or records that they were reminded. */
type WelcomeCommand =
  | { readonly send: 'welcome'; readonly person: string; readonly school: string }
  | { readonly note: 'reminded'; readonly person: string };

/** Milliseconds after which people are reminded. */
const patience = 1_500;

/** The receiver of a school, to which its mails go. */
const addressOf = (person: string, school: string): string => `${person}@${school}`;

/** Welcomes a person who was added, and reminds them later. */
export const welcomeMails: ProcessManager<null, DomainEvent, WelcomeCommand, ModulePorts> = {
  name: 'welcome-mails',
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
  async carryOut(command, { tenant, commitId, at, meta }, { mail, log }) {
    if ('send' in command) {
      const to = addressOf(command.person, command.school);
      await mail.send({ to, subject: command.send, text: '', idempotencyKey: `${command.person}/${commitId}` });
      return {};
    }
    const events = [{ stream: `reminder-${command.person}`, type: 'Reminded', schema: 1, data: {} }];
    return log.append({ tenant, expectations: [], events, commitId, fingerprint: '', at, meta });
  },
};
