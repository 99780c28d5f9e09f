// What Pulumi starts: the compiled program, since compiling takes longer than most changes of a stack.
const { run } = require('../build/stacks/program.js');

module.exports = run;
