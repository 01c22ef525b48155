// Records what the reference server answers to the calls of cases.json, each
// scenario on an empty graph:
//
//	npm install @modelcontextprotocol/server-memory
//	node record.mjs node_modules/@modelcontextprotocol/server-memory/dist/index.js < cases.json > reference.json
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";

const server = process.argv[2];
const scenarios = JSON.parse(readFileSync(0, "utf8"));

async function play(steps) {
  const home = mkdtempSync(join(tmpdir(), "reference-"));
  const child = spawn(process.execPath, [server], {
    env: { ...process.env, MEMORY_FILE_PATH: join(home, "memory.jsonl") },
    stdio: ["pipe", "pipe", "ignore"],
  });
  const waiting = new Map();
  createInterface({ input: child.stdout }).on("line", (line) => {
    const message = JSON.parse(line);
    waiting.get(message.id)?.(message);
  });
  let last = 0;
  const ask = (method, params) =>
    new Promise((answer) => {
      const id = ++last;
      waiting.set(id, answer);
      child.stdin.write(JSON.stringify({ jsonrpc: "2.0", id, method, params }) + "\n");
    });
  await ask("initialize", {
    protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "recorder", version: "1" },
  });
  child.stdin.write(JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" }) + "\n");
  const answers = [];
  for (const step of steps) {
    const params = step.tool ? { name: step.tool, arguments: step.arguments } : step.params ?? {};
    const { result, error } = await ask(step.method ?? "tools/call", params);
    answers.push({ ...step, result, error });
  }
  child.kill();
  rmSync(home, { recursive: true });
  return answers;
}

const recorded = [];
for (const { name, steps } of scenarios) recorded.push({ name, steps: await play(steps) });
console.log(JSON.stringify(recorded, null, 1));
