import {
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  createRequestStateCodec,
} from '@modelcontextprotocol/server';
import type { ServerDefinition } from '../server/server-definition.ts';
import { askingPrompt, fixtureTools, png } from './fixture-tools.ts';

const state = createRequestStateCodec<{ readonly step: number }>({ key: 'a key of thirty-two bytes for tests' });

const tools = Object.keys(fixtureTools).map((name) => ({
  name,
  description: `Fixture ${name}`,
  inputSchema: { type: 'object', properties: {} },
}));

const text = (words: string) => ({ role: 'user', content: { type: 'text', text: words } });

const prompts: Readonly<Record<string, (given: Readonly<Record<string, string>>) => unknown>> = {
  test_simple_prompt: () => ({ messages: [text('This is a simple prompt for testing.')] }),
  test_prompt_with_arguments: ({ arg1, arg2 }) => ({
    messages: [text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)],
  }),
  test_prompt_with_embedded_resource: ({ resourceUri: uri }) => {
    const resource = { uri, mimeType: 'text/plain', text: 'Embedded resource content for testing.' };
    return {
      messages: [{ role: 'user', content: { type: 'resource', resource } }, text('Please process the resource above.')],
    };
  },
  test_prompt_with_image: () => ({
    messages: [
      { role: 'user', content: { type: 'image', data: png, mimeType: 'image/png' } },
      text('Please analyze the image above.'),
    ],
  }),
};

const argumentsOf: Readonly<Record<string, readonly string[]>> = {
  test_prompt_with_arguments: ['arg1', 'arg2'],
  test_prompt_with_embedded_resource: ['resourceUri'],
};

function read({ uri }: { uri?: unknown }) {
  const address = String(uri);
  const [, id] = /^test:\/\/template\/([^/]+)\/data$/.exec(address) ?? [];
  if (address === 'test://static-text' || address === 'test://watched-resource')
    return { contents: [{ uri, mimeType: 'text/plain', text: 'This is the content of the static text resource.' }] };
  if (address === 'test://static-binary') return { contents: [{ uri, mimeType: 'image/png', blob: png }] };
  if (id === undefined) throw new ResourceNotFoundError(address);
  const body = JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` });
  return { contents: [{ uri, mimeType: 'application/json', text: body }] };
}

/** The registry of the official conformance suite, for the same dispatcher that serves schools. */
export const fixtureServer: ServerDefinition = {
  info: { name: 'conformance-fixtures', version: '1.0.0' },
  options: {
    capabilities: {
      tools: { listChanged: true },
      resources: { subscribe: true, listChanged: true },
      prompts: { listChanged: true },
      completions: {},
      logging: {},
    },
    requestState: { verify: (echoed, context) => state.verify(echoed, context) },
    inputRequired: { legacyShim: false },
  },
  methods: {
    'tools/list': () => ({ tools }),
    'tools/call': ({ name }, _visit, context) => {
      const fixture = fixtureTools[String(name)];
      if (!fixture) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no tool ${String(name)}`);
      return fixture(context, state);
    },
    'resources/list': () => ({
      resources: ['static-text', 'static-binary', 'watched-resource'].map((name) => ({ uri: `test://${name}`, name })),
    }),
    'resources/templates/list': () => ({
      resourceTemplates: [{ uriTemplate: 'test://template/{id}/data', name: 'template' }],
    }),
    'resources/read': read,
    'prompts/list': () => ({
      prompts: [...Object.keys(prompts), 'test_input_required_result_prompt'].map((name) => ({
        name,
        description: `Fixture ${name}`,
        arguments: (argumentsOf[name] ?? []).map((each) => ({ name: each, description: each, required: true })),
      })),
    }),
    'prompts/get': ({ name, arguments: given = {} }, _visit, context) => {
      if (name === 'test_input_required_result_prompt') return askingPrompt(context);
      const prompt = prompts[String(name)];
      if (!prompt) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no prompt ${String(name)}`);
      return prompt(given as Record<string, string>);
    },
    'completion/complete': () => ({ completion: { values: [], total: 0, hasMore: false } }),
  },
  scopesOf: () => undefined,
};
