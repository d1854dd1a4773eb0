import { connect, type Socket } from 'node:net';
import { request } from 'node:http';

/**
 * Strangers, as a process of their own: `node hold-connections.ts KIND PORT COUNT SOURCES`. `slow` sends a header byte by byte, `half-open`
 * never closes its half, `flood` asks for pages of tokens that do not exist, COUNT of them at once. They come from 127.1.0.1 onward
 * and hold on until the process ends; every second it prints how many connections are open.
 */
const [kind = '', port = '0', count = '0', sources = '1'] = process.argv.slice(2);

const sourceOf = (index: number) => `127.1.0.${1 + (index % Number(sources))}`;
let open = 0;

function hold(index: number): void {
  const options = { host: '127.0.0.1', port: Number(port), localAddress: sourceOf(index), allowHalfOpen: true };
  let isOpen = false;
  const socket: Socket = connect(options, () => {
    isOpen = true;
    open += 1;
    socket.write(kind === 'slow' ? 'GET / HTTP/1.1\r\nhost: a\r\nx-a: ' : 'GET /healthz HTTP/1.1\r\nhost: a\r\nx-a: ');
  });
  const trickle = setInterval(() => kind === 'slow' && socket.writable && socket.write('a'), 2_000);
  socket.on('error', () => undefined);
  socket.on('close', () => {
    if (isOpen) open -= 1;
    clearInterval(trickle);
    setTimeout(hold, 5_000, index);
  });
  socket.resume();
}

function flood(index: number): void {
  const path = `/tokens/${Math.random().toString(36).slice(2)}${index}`;
  const asked = request({ host: '127.0.0.1', port, path, localAddress: sourceOf(index), agent: false }, (answer) => {
    answer.resume().on('end', () => setImmediate(flood, index));
  });
  asked.on('error', () => setTimeout(flood, 100, index));
  asked.end();
}

for (let index = 0; index < Number(count); index += 1) {
  if (kind === 'flood') flood(index);
  else hold(index);
  if (index % 200 === 199) await new Promise((resolve) => setTimeout(resolve, 20));
}
setInterval(() => process.stdout.write(`${open}\n`), 1_000);
