import { type Decider, reject } from '@lyceum/kernel';
import { type SchoolEvent, type SchoolProfile, profileIn, schoolEvents, type signUps } from './school.events.ts';

/** A school as its own events tell it; undefined before it is provisioned. */
export type SchoolState =
  | (SchoolProfile & {
      readonly sign_up: (typeof signUps)[number];
      readonly provisioned_at: string;
      readonly changed_at: string;
      readonly version: number;
    })
  | undefined;

/** What may be asked of a school. */
export type SchoolCommand =
  | { readonly type: 'ProvisionSchool'; readonly profile: SchoolProfile }
  | { readonly type: 'MoveSchool'; readonly host: string; readonly base_url: string }
  | { readonly type: 'SetSignUp'; readonly sign_up: (typeof signUps)[number] };

/** Why a school says no. */
export type SchoolRejection = 'not_found';

/**
 * One school; its stream, in its own tenant, has the school's id. Provisioning it again changes nothing, and moving it to where it is changes nothing, so both may be
 * repeated. That hosts and slugs are unique among schools is the directory's business.
 */
export const schoolDecider: Decider<SchoolState, SchoolCommand, SchoolEvent, SchoolRejection> = {
  events: schoolEvents,
  initial: undefined,
  decide(command, state) {
    if (command.type === 'ProvisionSchool') return state ? [] : [{ type: 'SchoolProvisioned', data: command.profile }];
    if (!state) return reject('not_found', 'There is no such school');
    if (command.type === 'SetSignUp') {
      const { sign_up } = command;
      return state.sign_up === sign_up ? [] : [{ type: 'SchoolSignUpSet', data: { sign_up } }];
    }
    const { host, base_url } = command;
    return state.host === host && state.base_url === base_url
      ? []
      : [{ type: 'SchoolMoved', data: { host, base_url } }];
  },
  evolve(state, event, { at, version }) {
    if (event.type === 'SchoolProvisioned')
      return { ...profileIn(event.data), sign_up: 'invited', provisioned_at: at, changed_at: at, version };
    return state && { ...state, ...event.data, changed_at: at, version };
  },
};
