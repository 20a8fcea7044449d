// OTLP/HTTP at 4318, and of the API of Jaeger at 16686 what it takes to ask for the names of services.
import { createServer } from 'node:http';

const names = new Set();

createServer((request, response) => {
  let text = '';
  request.setEncoding('utf8').on('data', (part) => (text += part));
  request.on('end', () => {
    for (const { resource } of JSON.parse(text).resourceSpans ?? [])
      for (const { key, value } of resource?.attributes ?? []) if (key === 'service.name') names.add(value.stringValue);
    response.setHeader('content-type', 'application/json').end('{}');
  });
}).listen(4318);

createServer((request, response) => {
  const isKnown = request.url === '/api/services';
  response.writeHead(isKnown ? 200 : 404, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ data: isKnown ? [...names] : [] }));
}).listen(16_686);
