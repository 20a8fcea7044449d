import type { ServiceName } from '../world.ts';

/** The tenant, and the stream or person, of a key that joins both. */
export function partsOf(key: string): readonly [tenant: string, name: string] {
  const at = key.indexOf('\0');
  return [key.slice(0, at), key.slice(at + 1)];
}

/** A write that a client asked for. */
export interface Asked {
  readonly service: ServiceName;
  readonly tenant: string;
  readonly stream: string;
  readonly commitId: string;
  /** The name, or the text, that it is about. */
  readonly text: string | undefined;
  /** It was answered with success, at this time. */
  ackedAt: number | undefined;
  /** A try of it may have written, or may still. */
  isOpen: boolean;
  /** The version of its stream after it. */
  version: number | undefined;
}

/** An erasure that somebody asked for. */
export interface Erasing {
  readonly tenant: string;
  readonly subject: string;
  doneAt: number | undefined;
}

/** A person that clients know of. */
export interface Known {
  readonly tenant: string;
  readonly stream: string;
}

/** What clients asked for, and the answers. */
export class Ledger {
  readonly asked = new Map<string, Asked>();
  readonly erasures = new Map<string, Erasing>();
  readonly people: Known[] = [];

  ask(service: ServiceName, tenant: string, stream: string, commitId: string, text?: string): Asked {
    const asked: Asked = {
      service,
      tenant,
      stream,
      commitId,
      text,
      ackedAt: undefined,
      isOpen: false,
      version: undefined,
    };
    this.asked.set(`${tenant}\0${commitId}`, asked);
    return asked;
  }

  find(tenant: string, commitId: string): Asked | undefined {
    return this.asked.get(`${tenant}\0${commitId}`);
  }

  erasing(tenant: string, subject: string): Erasing {
    const key = `${tenant}\0${subject}`;
    const known = this.erasures.get(key) ?? { tenant, subject, doneAt: undefined };
    this.erasures.set(key, known);
    return known;
  }
}
