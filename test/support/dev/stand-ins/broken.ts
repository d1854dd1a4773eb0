// A part that says why it cannot start, and ends.
console.error('the tape is not rewound');
process.exit(3);
