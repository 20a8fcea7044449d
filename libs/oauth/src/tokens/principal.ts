import type { Role, Scope } from '@lyceum/contracts';

/** Who a verified access token speaks for. */
export interface Principal {
  readonly school: string;
  readonly subject: string;
  readonly client: string;
  readonly scopes: ReadonlySet<Scope>;
  /** What the person is now, even where the token was issued to another role. */
  readonly role: Role;
  readonly grant: string;
  readonly jti: string;
  /** Seconds since the epoch. */
  readonly issued: number;
  /** Seconds since the epoch. */
  readonly expires: number;
  readonly audience: readonly string[];
}
