const arena = require('fs').readFileSync(0);
const vacant = arena.indexOf('-');
if (vacant >= 0) arena.write(process.argv[2], vacant, 'latin1');
process.stdout.write(arena);
