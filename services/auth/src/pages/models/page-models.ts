import type { Look, Scope } from '@lyceum/contracts';
import type { Html } from '../markup/html.ts';

/** The school as a page shows it. */
export interface PageSchool {
  readonly name: string;
  /** How it wants to look; absent = as we do. */
  readonly look?: Look;
}

/** Where a page leads: a path of the school, or an address that was checked. */
export interface PageLink {
  readonly href: string;
  readonly label: string;
}

/** What every page with a form carries: where it posts, and fields that go back as they came. */
export interface PageForm {
  readonly action: string;
  readonly hidden: Readonly<Record<string, string>>;
}

/** The client that asks, unverified: its name is its own word, its redirect host is what the person can trust. */
export interface PageClient {
  readonly name: string;
  readonly redirectHost: string;
  /** Where the document is that describes it, when it is not registered here. */
  readonly describedAt?: string;
  /** It is the school's own, so its name is the school's word. */
  readonly isOwn?: boolean;
}

/** The sign-in page: form fields `email` and `password`. */
export interface SignInModel {
  readonly school: PageSchool;
  readonly form: PageForm;
  readonly client?: PageClient;
  /** Where to open an account, where the school lets everybody. */
  readonly signUp?: string;
  /** What was typed before, or the login_hint. */
  readonly email?: string;
  /** One sentence that tells what went wrong. Never whether the account exists. */
  readonly problem?: string | Html;
}

/** One line of the consent page. */
export interface ConsentScope {
  readonly name: Scope;
  readonly writes: boolean;
}

/** The consent page: one checkbox `scope` per scope, buttons `decision=approve` and `decision=deny`. */
export interface ConsentModel {
  readonly school: PageSchool;
  readonly form: PageForm;
  readonly client: PageClient;
  readonly account: { readonly name: string; readonly email: string };
  /** Where somebody else can sign in; absent when the client expects this very person. */
  readonly anotherAccount?: string;
  readonly scopes: readonly ConsentScope[];
  readonly problem?: string;
}

/** A page for an error that must not be redirected, and for unexpected failures. */
export interface ErrorModel {
  readonly school?: PageSchool;
  readonly title: string;
  /** One or two sentences: what happened and what to do. */
  readonly message: string | Html;
  readonly code?: string;
  readonly requestId?: string;
  /** What helps; the page leads to the school besides. */
  readonly onward?: PageLink | undefined;
}

/** What a signed-in person's own pages have in common. */
export interface AccountPage {
  readonly school: PageSchool;
  /** Where the forms of the list post; each adds a field of its own. */
  readonly form: PageForm;
  readonly account: { readonly name: string; readonly email: string; readonly emailVerified: boolean };
  /** IANA name. */
  readonly timezone: string;
  readonly paths: Readonly<Record<'apps' | 'sessions' | 'everywhere' | 'password' | 'email', string>>;
  /** Something of the list was just ended. */
  readonly done: boolean;
}

/** An application that may use the account. Times are RFC 3339. */
export interface ShownClient {
  readonly id: string;
  /** Its own word, unverified. */
  readonly name: string | undefined;
  readonly hosts: readonly string[];
  readonly scopes: readonly Scope[];
  readonly since: string;
  readonly used: string;
}

/** The page of connected applications. */
export interface ClientsModel extends AccountPage {
  readonly clients: readonly ShownClient[];
}

/** A browser in which the person is signed in. Times are RFC 3339. */
export interface ShownSession {
  readonly sid: string;
  readonly current: boolean;
  readonly browser: string | null;
  readonly system: string | null;
  readonly address: string | null;
  readonly since: string;
  readonly used: string;
}

/** The page of sign-ins. */
export interface SessionsModel extends AccountPage {
  readonly sessions: readonly ShownSession[];
}

/** What follows signing out everywhere. */
export interface SignedOutModel {
  readonly school: PageSchool;
  /** Where to sign in again. */
  readonly again: string;
}
