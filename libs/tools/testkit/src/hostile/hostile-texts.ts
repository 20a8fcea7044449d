/** What runs, loads or sends something where it is taken for markup: each would set `ran` of the window, or ask evil.example. */
export const hostileMarkup: readonly string[] = [
  '<script>window.ran=1</script>',
  '"><img src=x onerror="window.ran=1">',
  "'><svg/onload=window.ran=1>",
  '</title></style></textarea></script><script>window.ran=1</script>',
  '--><script>window.ran=1</script><!--',
  ']]><script xmlns="http://www.w3.org/1999/xhtml">window.ran=1</script>',
  '" autofocus onfocus="window.ran=1" x="',
  '&lt;script&gt;window.ran=1&lt;/script&gt;',
  '<iframe srcdoc="<script>parent.ran=1</script>"></iframe>',
  '<a href="javascript:window.ran=1">x</a>',
  '[x](javascript:window.ran=1) ![x](https://evil.example/x.png)',
  '<style>*{background:url(https://evil.example/x)}</style>',
  '<link rel=stylesheet href=https://evil.example/x.css>',
  '<meta http-equiv=refresh content="0;url=https://evil.example/">',
  '<base href="https://evil.example/">',
  '<form action=https://evil.example/><input type=submit>',
  '<!DOCTYPE x [<!ENTITY e SYSTEM "https://evil.example/e">]><x>&e;</x>',
  '{{constructor.constructor("window.ran=1")()}} ${window.ran=1}',
  '\u202Egnp.exe',
];

/** What is no address of a page, of another school or of the web, whatever a browser makes of it. */
export const hostileLinks: readonly string[] = [
  'javascript:window.ran=1',
  'JaVaScRiPt:window.ran=1',
  ' javascript:window.ran=1',
  'java\nscript:window.ran=1',
  'data:text/html,<script>window.ran=1</script>',
  'vbscript:x',
  '//evil.example',
  '/\\evil.example',
  'https://a.example/"onmouseover="window.ran=1',
];

/** Lines that would be properties of a calendar, headers of a mail or of an answer, where line breaks are kept. */
export const hostileLines: readonly string[] = [
  'a\r\nBEGIN:VEVENT\r\nSUMMARY:injected',
  'a\nATTACH:file:///etc/passwd',
  'a\rDTSTART:19700101T000000Z',
  'semi;colon, comma\\back "quoted" :colon',
  '\\nEND:VCALENDAR',
  'a\r\nBcc: everybody@evil.example',
  'a\n\n<script>window.ran=1</script>',
  'a\r\nSet-Cookie: stolen=1\r\n\r\n<script>window.ran=1</script>',
];

/** Cells that a spreadsheet would compute. */
export const hostileFormulas: readonly string[] = [
  '=HYPERLINK("https://evil.example","x")',
  '+1',
  '-1',
  '@SUM(A1)',
  ' =1',
  '\t=1',
  '\r1',
  '＝1',
];

/** Names of files that are markup, paths, headers, or another kind of file. */
export const hostileFileNames: readonly string[] = [
  '../../etc/passwd',
  'a"; filename="b.html',
  'a\r\nSet-Cookie: stolen=1.txt',
  '<img src=x onerror=window.ran=1>.txt',
  '\u202Etxt.exe',
  "a'b*c%00.txt",
];
