// Enabled by name in .oxlintrc.json.
import type { RuleTester } from 'oxlint/plugins-dev';

type Rule = Parameters<RuleTester['run']>[1];

/** Matches of a selector (ESLint syntax, ESTree nodes). */
const forbid = (message: string, ...selectors: readonly string[]): Rule => ({
  create: (context) => ({ [selectors.join(', ')]: (node) => context.report({ node, message }) }),
});

/** Reads that return null or empty also for data that a node has pruned. */
const SIGHTS = [
  'agreedTransaction',
  'askHistory',
  'askNewest',
  'askStatuses',
  'askTransaction',
  'askTransactionResponse',
  'getParsedTransaction',
  'getParsedTransactions',
  'getSignatureStatus',
  'getSignatureStatuses',
  'getSignaturesForAddress',
  'getTransaction',
  'getTransactionResponse',
  'getTransactions',
  'historiesOf',
  'historyOf',
  'recentStatuses',
  'signatureStatuses',
];
const SIGHT = `/^(${SIGHTS.join('|')})$/`;

const LITERAL = ':matches(ObjectExpression, ArrayExpression)';

export default {
  meta: { name: 'house' },
  rules: {
    'no-empty-catch': forbid(
      'Handle the error, wrap it, or let it rise; an empty catch hides it.',
      'CatchClause > BlockStatement[body.length=0]',
    ),
    'no-spread-literal': forbid(
      'Write the entries themselves instead of spreading a fresh literal.',
      `:matches(ObjectExpression, ArrayExpression, CallExpression, NewExpression) > SpreadElement > ${LITERAL}`,
      `SpreadElement > :matches(TSAsExpression, TSSatisfiesExpression) > ${LITERAL}`,
    ),
    'export-type': forbid(
      'Say `export type { … }` where only types are exported again.',
      'ExportNamedDeclaration[exportKind="value"][specifiers.length>0]:not(:has(> ExportSpecifier[exportKind="value"]))',
    ),
    'bounded-fetch': forbid(
      'What another machine says has no end: take fetchBounded of client/http/bounded-fetch.ts.',
      'CallExpression[callee.name="fetch"]',
      ':matches(LogicalExpression, AssignmentPattern, ConditionalExpression) > Identifier[name="fetch"]',
      'MemberExpression[object.name=/^(globalThis|window|self)$/][property.name="fetch"]',
      'NewExpression[callee.name=/^(XMLHttpRequest|EventSource|WebSocket)$/]',
    ),
    'one-printer': forbid(
      'A terminal obeys what other machines may have written: print by client/cli/say.ts, in ops by its io.',
      'MemberExpression[object.name="process"][property.name=/^(stdout|stderr)$/]',
      'MemberExpression[object.name="console"]',
    ),
    'no-spot-price': forbid(
      'A spot price can be moved by trading: take a SpendablePrice of domain/trading/spendable-price.ts.',
      'MemberExpression[property.name="spotUsd"]',
      'ObjectPattern > Property[key.name="spotUsd"]',
    ),
    'token-balance': forbid(
      'What an account holds is not what it can give: take a TokenBalance of chain/tokens/token-balance.ts.',
      'ImportSpecifier[imported.name=/^(unpackAccount|AccountLayout|getAccount)$/]',
      'MemberExpression[property.name=/^(getTokenAccountBalance|getTokenAccountsByOwner)$/]',
    ),
    'sign-checked': forbid(
      'Sign by signTransaction or signMovement: they compare the message with what was meant first.',
      'CallExpression[callee.property.name=/^(sign|partialSign|addSignature)$/]',
    ),
    'agreed-lookup-tables': forbid(
      'Read lookup tables by agreedLookupTablesAt: which accounts a message names follows from them.',
      'MemberExpression[property.name="getAddressLookupTable"]',
      'NewExpression[callee.name="AddressLookupTableAccount"]',
    ),
    'end-socket': forbid(
      'Say endSocket(socket, bytes) of observe/bounded-server.ts: `end` alone leaves the connection to its peer.',
      'CallExpression[callee.property.name="end"][callee.object.name=/[sS]ocket$/]',
    ),
    'bounded-server': forbid(
      'Say createBoundedServer of observe/bounded-server.ts: a server of its own has no limit of connections.',
      'ImportDeclaration[source.value=/^(node:)?https?2?$/] ImportSpecifier[imported.name=/^create(Secure)?Server$/]',
    ),
    'peer-address': forbid(
      'Say peerAddressOf(request) of api/peer-address.ts: `ip` may be any text that a forwarding header holds.',
      'MemberExpression[property.name="ip"][object.name=/[rR]equest$/]',
      'VariableDeclarator[init.name=/[rR]equest$/] > ObjectPattern > Property[key.name="ip"]',
      ':function > ObjectPattern > Property[key.name="ip"]',
    ),
    'proven-absence': forbid(
      'A node answers the same for what it has forgotten as for what never happened. Ask chain/rpc/absence.ts, or list the file in .oxlintrc.json where silence means nothing.',
      `CallExpression > MemberExpression.callee[property.name=${SIGHT}]`,
      `ObjectPattern > Property[key.name=${SIGHT}]`,
      `ImportSpecifier[imported.name=${SIGHT}]`,
    ),
    'quorum-replies': forbid(
      'A fact waits for its quorum: say quorumReplies. List the file in .oxlintrc.json where any prompt response will do.',
      'CallExpression > MemberExpression.callee[property.name="promptReplies"]',
      'ObjectPattern > Property[key.name="promptReplies"]',
    ),
    'error-text': forbid(
      'Say errorText(error) of domain/error-text.ts.',
      'ConditionalExpression[test.operator="instanceof"][test.right.name="Error"][alternate.callee.name="String"] > MemberExpression.consequent[property.name="message"]',
    ),
  },
};
