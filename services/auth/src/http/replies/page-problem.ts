import type { ErrorCode } from '@lyceum/contracts';
import { english } from '../../pages/texts/en.ts';
import type { PlainKey } from '../../pages/texts/texts.ts';

/** A link that helps a person whose request a page refuses. */
interface WayOut {
  readonly href: string;
  readonly label: PlainKey;
}

/** A refusal that only the person sees, because there is no address that could be trusted. Its sentences are in the catalogue. */
export class PageProblem extends Error {
  override readonly name = 'PageProblem';
  readonly status: number;
  readonly title: PlainKey;
  readonly explanation: PlainKey;
  readonly code: ErrorCode;
  readonly wayOut: WayOut | undefined;

  constructor(status: number, code: ErrorCode, title: PlainKey, explanation: PlainKey, wayOut?: WayOut) {
    super(english[explanation]);
    this.status = status;
    this.code = code;
    this.title = title;
    this.explanation = explanation;
    this.wayOut = wayOut;
  }
}
