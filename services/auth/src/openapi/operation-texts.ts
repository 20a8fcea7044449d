import type { Json } from './schemas.ts';

/** What the OpenAPI document says of an operation that does not follow from its row in the matrix. */
export interface OperationTexts {
  readonly summary: string;
  readonly description: string;
  /** What is sent: in the query of a GET, else in the body. */
  readonly takes?: Json;
  /** Answers by status, beside the refusals of the steps: a page with this text for a person, a schema for a program. */
  readonly answers: Readonly<Record<number, string | readonly [text: string, schema: Json, mediaType?: string]>>;
  /** The scope that the access token needs; there is none where it is not given. */
  readonly scope?: 'openid';
}
