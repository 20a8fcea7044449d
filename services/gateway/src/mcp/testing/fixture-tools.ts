import { setTimeout as delay } from 'node:timers/promises';
import {
  type RequestStateCodec,
  type ServerContext,
  acceptedContent,
  inputRequired,
} from '@modelcontextprotocol/server';

/** What the official conformance suite calls by name; schools have nothing of it. */

/** One red pixel. */
export const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==';
/** A sound without samples. */
const wav = 'UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA=';

const text = (words: string) => ({ type: 'text', text: words });
const image = { type: 'image', data: png, mimeType: 'image/png' };
const embedded = (uri: string, mimeType: string, words: string) => ({
  type: 'resource',
  resource: { uri, mimeType, text: words },
});

const question = (message: string, name: string, type: 'string' | 'boolean' = 'string') =>
  inputRequired.elicit({
    message,
    requestedSchema: { type: 'object', properties: { [name]: { type } }, required: [name] } as never,
  });
const sampling = (words: string, maxTokens = 100) =>
  inputRequired.createMessage({ messages: [{ role: 'user', content: { type: 'text', text: words } }], maxTokens });

type State = RequestStateCodec<{ readonly step: number }>;
type Fixture = (context: ServerContext, state: State) => unknown;

const said = ({ mcpReq }: ServerContext, key: string): Record<string, unknown> | undefined => {
  const value: unknown = mcpReq.inputResponses?.[key];
  return value !== null && typeof value === 'object' ? (value as Record<string, unknown>) : undefined;
};
const step = ({ mcpReq }: ServerContext): number => mcpReq.requestState<{ step: number }>()?.step ?? 0;
const done = (words: string) => ({ content: [text(words)] });

async function progress(context: ServerContext) {
  const token = context.mcpReq._meta?.progressToken;
  for (const value of [0, 50, 100]) {
    if (token !== undefined)
      await context.mcpReq.notify({
        method: 'notifications/progress',
        params: { progressToken: token, progress: value, total: 100 },
      });
    await delay(50);
  }
  return done('progressed');
}

async function logging(context: ServerContext) {
  for (const words of ['Tool execution started', 'Tool processing data', 'Tool execution completed']) {
    await context.mcpReq.log('info', words);
    await delay(50);
  }
  return done('logged');
}

const stated =
  (key: string): Fixture =>
  async (context, state) =>
    step(context) === 1 && said(context, key)
      ? done('state-ok')
      : inputRequired({
          inputRequests: { [key]: question('Please confirm', 'ok', 'boolean') },
          requestState: await state.mint({ step: 1 }),
        });

async function multiple(context: ServerContext, state: State) {
  if (step(context) === 1 && ['user_name', 'greeting', 'client_roots'].every((key) => said(context, key)))
    return done('all there');
  return inputRequired({
    inputRequests: {
      user_name: question('What is your name?', 'name'),
      greeting: sampling('Generate a greeting', 50),
      client_roots: inputRequired.listRoots(),
    },
    requestState: await state.mint({ step: 1 }),
  });
}

async function rounds(context: ServerContext, state: State) {
  const at = step(context);
  if (at === 2 && said(context, 'step2')) return done('both steps');
  const second = at === 1 && said(context, 'step1');
  return inputRequired({
    inputRequests: second
      ? { step2: question('Step 2: What is your favorite color?', 'color') }
      : { step1: question('Step 1: What is your name?', 'name') },
    requestState: await state.mint({ step: second ? 2 : 1 }),
  });
}

function capabilities({ mcpReq: { envelope } }: ServerContext) {
  const declared = ((envelope as Record<string, unknown> | undefined)?.['io.modelcontextprotocol/clientCapabilities'] ??
    {}) as Record<string, unknown>;
  const inputRequests = {
    ...(declared['elicitation'] ? { name: question('What is your name?', 'name') } : {}),
    ...(declared['sampling'] ? { capital: sampling('What is the capital of France?') } : {}),
    ...(declared['roots'] ? { roots: inputRequired.listRoots() } : {}),
  };
  return Object.keys(inputRequests).length > 0 ? inputRequired({ inputRequests }) : done('nothing can be asked');
}

/** The tools of the suite, by name. */
export const fixtureTools: Readonly<Record<string, Fixture>> = {
  test_simple_text: () => done('This is a simple text response for testing.'),
  test_image_content: () => ({ content: [image] }),
  test_audio_content: () => ({ content: [{ type: 'audio', data: wav, mimeType: 'audio/wav' }] }),
  test_embedded_resource: () => ({
    content: [embedded('test://embedded-resource', 'text/plain', 'This is an embedded resource content.')],
  }),
  test_multiple_content_types: () => ({
    content: [
      text('Multiple content types test:'),
      image,
      embedded('test://mixed-content-resource', 'application/json', '{"test":"data","value":123}'),
    ],
  }),
  test_error_handling: () => ({ ...done('This tool intentionally returns an error for testing'), isError: true }),
  test_tool_with_progress: progress,
  test_tool_with_logging: logging,
  test_logging_tool: logging,
  test_missing_capability: () => inputRequired({ inputRequests: { sample: sampling('Hello') } }),
  test_streaming_elicitation: (context) =>
    said(context, 'name') ? done('thanks') : inputRequired({ inputRequests: { name: question('Who?', 'name') } }),
  test_input_required_result_elicitation: (context) => {
    const name = acceptedContent(context.mcpReq.inputResponses, 'user_name')?.['name'];
    if (typeof name === 'string') return done(`Hello, ${name}!`);
    return inputRequired({ inputRequests: { user_name: question('What is your name?', 'name') } });
  },
  test_input_required_result_sampling: (context) =>
    said(context, 'capital_question')
      ? done(JSON.stringify(said(context, 'capital_question')))
      : inputRequired({ inputRequests: { capital_question: sampling('What is the capital of France?') } }),
  test_input_required_result_list_roots: (context) =>
    said(context, 'client_roots')
      ? done(JSON.stringify(said(context, 'client_roots')))
      : inputRequired({ inputRequests: { client_roots: inputRequired.listRoots() } }),
  test_input_required_result_request_state: stated('confirm'),
  test_input_required_result_tampered_state: stated('confirm'),
  test_input_required_result_multiple_inputs: multiple,
  test_input_required_result_multi_round: rounds,
  test_input_required_result_capabilities: capabilities,
};

/** Asks for a context before the prompt is given. */
export const askingPrompt = (context: ServerContext): unknown =>
  said(context, 'user_context')
    ? { messages: [{ role: 'user', content: text('with context') }] }
    : inputRequired({ inputRequests: { user_context: question('What context should the prompt use?', 'context') } });
