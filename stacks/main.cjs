// Entry point of Pulumi: the compiled program, since compiling takes longer than most stack updates.
const { run } = require('../build/stacks/program.js');

module.exports = run;
