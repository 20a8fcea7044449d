import type { Scope } from '@lyceum/contracts';
import type { CallToolResult, InputRequiredResult, ServerContext, ToolAnnotations } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { CallContext } from '../server/server-definition.ts';

/** What a tool gives: data by its output schema, or a whole result. */
export type ToolResult = { readonly data: Readonly<Record<string, unknown>> } | CallToolResult | InputRequiredResult;

/** One tool, declared once: its place in the list, the checks of its input and what it does follow from it. */
export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** A closed object. */
  readonly input: z.ZodObject;
  readonly output?: z.ZodObject | undefined;
  /** What opens all of it. A tool that is open to anybody shows what everybody sees to a token that holds less, or to none. */
  readonly scopes: readonly Scope[];
  /** Usable with a token that holds the scopes only; listed to everybody who is signed in and whose role may hold them. */
  readonly isForTokens?: boolean;
  /** Shows what belongs to the person and nothing else: listed to anybody, but a token has to hold the scopes. */
  readonly isPersonal?: boolean;
  readonly annotations: ToolAnnotations;
  /** `context`: what the SDK knows of the request. */
  run(input: never, call: CallContext, context: ServerContext): Promise<ToolResult>;
}

/** Types a declaration: what `run` is given follows from the input schema. */
export const tool = <Input extends z.ZodObject>(
  declared: Omit<Tool, 'input' | 'run'> & {
    readonly input: Input;
    run(input: z.output<Input>, call: CallContext, context: ServerContext): Promise<ToolResult>;
  },
): Tool => declared as unknown as Tool;

/** Tools that change nothing and look at nothing but this school. */
export const reading = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
} as const;

/** A call that could not be done, in a sentence that says how to do better. */
export class ToolProblem extends Error {
  override readonly name = 'ToolProblem';
}

/** The result of a call that failed: the model reads the sentence, nothing of the transport breaks. */
export const failed = (text: string, meta?: Record<string, unknown>): CallToolResult => ({
  content: [{ type: 'text', text }],
  isError: true,
  ...(meta ? { _meta: meta } : {}),
});

/** A tool as lists show it. */
export const toolListing = ({ name, title, description, input, output, scopes, isForTokens, annotations }: Tool) => ({
  name,
  title,
  description,
  inputSchema: schemaOf(input, 'input'),
  ...(output ? { outputSchema: schemaOf(output, 'output') } : {}),
  annotations: { title, ...annotations },
  _meta: {
    securitySchemes: [
      ...(isForTokens ? [] : [{ type: 'noauth' }]),
      ...(scopes.length > 0 ? [{ type: 'oauth2', scopes: [...scopes] }] : []),
    ],
  },
});

/** A schema in as few words as it can be said: every list that a model reads costs by its length. */
function schemaOf(schema: z.ZodObject, io: 'input' | 'output'): { type: 'object' } {
  const { $schema: _standard, ...said } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override: ({ jsonSchema }) => {
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
    },
  });
  return said as { type: 'object' };
}

/** Why an input does not fit, field by field. */
export const invalidInput = (error: z.ZodError): string =>
  `The arguments do not fit: ${error.issues
    .slice(0, 5)
    .map(({ path, message }) => `${path.join('.') || 'arguments'}: ${message}`)
    .join('; ')}. See the tool's inputSchema.`;
