import { UnguessableCodes } from '@lyceum/service';

/** The addresses at which guests see and cancel their registrations: whoever has one does. */
export class GuestLinks {
  readonly #codes: UnguessableCodes;

  constructor(rootKeys: readonly Buffer[]) {
    this.#codes = new UnguessableCodes(rootKeys, 'guest registrations');
  }

  /** The page of a registration at the school of a base URL. */
  urlOf(school: string, base_url: string, registration: string): string {
    return `${base_url}/registrations/${this.#codes.codeOf(school, registration.replace(/^registration_/, ''))}`;
  }

  /** The registration that a code is of; undefined when it is none of this school. */
  idOf(school: string, code: string): string | undefined {
    const uuid = this.#codes.uuidOf(school, code);
    return uuid === undefined ? undefined : `registration_${uuid}`;
  }
}
