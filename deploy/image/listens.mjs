// 0 where something listens on the port.
import { connect } from 'node:net';

const socket = connect(Number(process.argv[2]), '127.0.0.1');
socket.once('connect', () => process.exit(0)).once('error', () => process.exit(1));
