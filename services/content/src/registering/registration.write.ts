import { type Executed, fold } from '@lyceum/eventlog';
import { type Call, type Deciding, type Ports, Problem, type StatusTable, accepted, attempt } from '@lyceum/web';
import { type RegistrationCode, type RegistrationCommand, registrationDecider } from '../registrations/registration.ts';
import type { Registration, RegistrationState } from '../registrations/registration.state.ts';

/** What each rejection means over HTTP; the error table of the contracts says the same. */
export const registrationRejections = {
  not_found: 404,
  invalid_state: 409,
} as const satisfies StatusTable<RegistrationCode>;

/** A registration after a command, or as it was found. */
export type Decided = Pick<Executed<RegistrationState>, 'version' | 'lane' | 'position'> & {
  readonly stream: string;
  readonly state: Registration;
};

/** Brings the command of a call to a registration. Throws the problem that a rejection means. */
export async function decideRegistration(
  call: Deciding,
  ports: Pick<Ports, 'log'>,
  stream: string,
  command: RegistrationCommand,
): Promise<Decided> {
  const done = accepted(await attempt(call, ports, registrationDecider, stream, command), registrationRejections);
  const { state } = done;
  if (!state) throw new Error('a command to a registration left none');
  return { ...done, state };
}

/** The registration of a path, as of now, when it is one of `isIts`. Throws 404 otherwise. */
export async function foundRegistration(
  { school }: Pick<Call, 'school'>,
  { log }: Pick<Ports, 'log'>,
  stream: string,
  isIts: (state: Registration) => boolean,
): Promise<Decided> {
  const { state, ...found } = await fold(log, registrationDecider, school, stream);
  if (!state || !isIts(state)) throw new Problem('not_found', 'There is no such registration');
  return { ...found, stream, state };
}
