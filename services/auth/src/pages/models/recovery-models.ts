import type { Html } from '../markup/html.ts';
import type { PageForm, PageLink, PageSchool } from './page-models.ts';

/** A page that tells one thing. It always leads to the school; `onward` is what comes next, `instead` what else helps. */
export interface NoticeModel {
  readonly school: PageSchool;
  readonly title: string;
  readonly message: string | Html;
  readonly onward?: PageLink;
  readonly instead?: PageLink;
}

/** A page that asks one question: a button, and perhaps a second one that leaves everything as it is. */
export interface ConfirmModel {
  readonly school: PageSchool;
  readonly form: PageForm;
  readonly title: string;
  readonly message: string | Html;
  /** The buttons send `decision`. */
  readonly yes: string;
  readonly no?: string;
}

/** The page that asks for the address of an account: field `email`. */
export interface ResetModel {
  readonly school: PageSchool;
  readonly form: PageForm;
  readonly problem?: string | Html;
}

/** The page for a new password: field `password`, and `current` for who is signed in. */
export interface NewPasswordModel {
  readonly school: PageSchool;
  readonly form: PageForm;
  /** The address of the account, for password managers. */
  readonly email: string;
  readonly asksCurrent: boolean;
  readonly problem?: string | Html;
}
