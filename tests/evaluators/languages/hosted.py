"""Programs in the languages that have a run time of their own, one row an attempt."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields

from se_agent.program.language import Language


@dataclass(frozen=True, kw_only=True)
class Hosted:
    """The same attempts in one language; what each prints or says is the same, too."""

    adds: str  # two numbers of its input
    fails: str  # with an error that says "oops"
    broken: str  # cannot be compiled
    spins: str
    waits: str
    heap: str  # grows without end
    beside: str  # grows without end, outside the heap where there is one
    recurses: str  # 20,000 deep, and says how deep
    reads: str  # the files named in its input; prints what it could read
    connects: str  # prints "refused"
    spawns: str  # a process; prints "refused"
    works: str  # in a thread; prints 42
    leaves: str  # a thread behind that spins; prints "left"
    files: str  # writes a file, and prints what it reads of it
    tells: str  # its environment, by names


JAVASCRIPT = Hosted(
    adds="""const text = require('fs').readFileSync(0, 'utf8');
console.log(text.trim().split(/ +/).map(Number).reduce((a, b) => a + b));
""",
    fails="throw new Error('oops');\n",
    broken="let x = 1;\nlet y = ;\n",
    spins="for (;;);\n",
    waits="setTimeout(() => {}, 1e8);\n",
    heap="const kept = []; for (;;) kept.push([1, 2, 3, kept.length]);\n",
    beside="const kept = []; for (;;) kept.push(Buffer.alloc(10 << 20, 1));\n",
    recurses="const f = (n) => n ? 1 + f(n - 1) : 0; console.log(f(20000));\n",
    reads="""const fs = require('fs');
for (const path of fs.readFileSync(0, 'utf8').trim().split('\\n'))
    try { fs.readFileSync(path); console.log(path); } catch (error) {}
""",
    connects="""const socket = require('net').connect(80, '127.0.0.1');
socket.on('error', (error) => console.log(error.code === 'EPERM' ? 'refused' : error.code));
""",
    spawns="""try {
    require('child_process').execFileSync(process.execPath, ['-e', '0']); console.log('ran');
} catch (error) { console.log(error.code === 'EPERM' ? 'refused' : error.code); }
""",
    works="""const { Worker } = require('worker_threads');
const text = 'require("worker_threads").parentPort.postMessage(42)';
new Worker(text, { eval: true }).on('message', (number) => console.log(number));
""",
    leaves="""const { Worker } = require('worker_threads');
const text = 'require("worker_threads").parentPort.postMessage(0); for (;;);';
new Worker(text, { eval: true }).on('message', () => {
    require('fs').writeSync(1, 'left'); process.reallyExit(0);
});
""",
    files="""const fs = require('fs');
fs.writeFileSync('own', 'own text'); console.log(fs.readFileSync('own', 'utf8'));
""",
    tells="console.log(Object.keys(process.env).join(' '));\n",
)


def _java(body: str, more: str = "") -> str:
    head = (
        "import java.io.*;\nimport java.nio.*;\nimport java.nio.file.*;\nimport java.util.*;\n"
    )
    main = f"    public static void main(String[] words) throws Exception {{ {body} }}\n"
    return f"{head}public class Main {{\n{main}{more}}}\n"


JAVA = Hosted(
    adds=_java(
        "Scanner in = new Scanner(System.in); System.out.println(in.nextInt() + in.nextInt());"
    ),
    fails=_java('throw new IllegalStateException("oops");'),
    broken=_java("int x = ;"),
    spins=_java("for (;;);"),
    waits=_java("Thread.sleep(100000000L);"),
    heap=_java("List<long[]> kept = new ArrayList<>(); for (;;) kept.add(new long[1000]);"),
    beside=_java(
        'var field = Class.forName("sun.misc.Unsafe").getDeclaredField("theUnsafe");'
        "field.setAccessible(true); var unsafe = (sun.misc.Unsafe) field.get(null);"
        "for (;;) unsafe.setMemory(unsafe.allocateMemory(10 << 20), 10 << 20, (byte) 1);"
    ),
    recurses=_java(
        "System.out.println(f(20000));",
        "    static int f(int n) { return n == 0 ? 0 : 1 + f(n - 1); }\n",
    ),
    reads=_java(
        'for (String path : new String(System.in.readAllBytes()).strip().split("\\n"))'
        "  try { Files.readAllBytes(Path.of(path)); System.out.println(path); }"
        "  catch (IOException error) {}"
    ),
    connects=_java(
        'try { new java.net.Socket("127.0.0.1", 80); System.out.println("connected"); }'
        "  catch (java.net.SocketException error) { System.out.println("
        '    error.getMessage().contains("not permitted") ? "refused" : error.getMessage()); }'
    ),
    spawns=_java(
        'try { new ProcessBuilder(System.getProperty("java.home") + "/bin/java").start();'
        '  System.out.println("ran"); } catch (IOException error) { System.out.println('
        '    error.getMessage().contains("not permitted") ? "refused" : error.getMessage()); }'
    ),
    works=_java(
        "int[] found = {0}; Thread one = new Thread(() -> found[0] = 42);"
        "one.start(); one.join(); System.out.println(found[0]);"
    ),
    leaves=_java(
        "Thread one = new Thread(() -> { for (;;); }); one.setDaemon(true); one.start();"
        'System.out.print("left");'
    ),
    files=_java(
        'Files.writeString(Path.of("own"), "own text");'
        'System.out.println(Files.readString(Path.of("own")));'
    ),
    tells=_java('System.out.println(String.join(" ", System.getenv().keySet()));'),
)


def _go(body: str, *imports: str, more: str = "") -> str:
    lines = "".join(f'import "{name}"\n' for name in imports)
    return f"package main\n\n{lines}\n{more}\nfunc main() {{\n{body}\n}}\n"


GO = Hosted(
    adds=_go("var a, b int\nfmt.Scan(&a, &b)\nfmt.Println(a + b)", "fmt"),
    fails=_go('panic("oops")'),
    broken=_go("x := 1"),
    spins=_go("for {\n}"),
    waits=_go("time.Sleep(1 << 60)", "time"),
    heap=_go("for {\nkept = append(kept, make([]int64, 1000))\n}", more="var kept [][]int64"),
    beside=_go(
        "for {\nb := make([]byte, 10<<20)\nfor i := range b {\nb[i] = 1\n}\n"
        "kept = append(kept, b)\n}",
        more="var kept [][]byte",
    ),
    recurses=_go(
        "fmt.Println(f(20000))",
        "fmt",
        more="func f(n int) int {\nif n == 0 {\nreturn 0\n}\nreturn 1 + f(n-1)\n}",
    ),
    reads=_go(
        "lines := bufio.NewScanner(os.Stdin)\nfor lines.Scan() {\n"
        "if _, err := os.ReadFile(lines.Text()); err == nil {\nfmt.Println(lines.Text())\n}\n}",
        *("bufio", "fmt", "os"),
    ),
    connects=_go(
        "_, err := syscall.Socket(syscall.AF_INET, syscall.SOCK_STREAM, 0)\n"
        'if err == syscall.EPERM {\nfmt.Println("refused")\n} else {\nfmt.Println(err)\n}',
        *("fmt", "syscall"),
    ),
    spawns=_go(
        '_, err := os.StartProcess("/proc/self/exe", []string{"x"}, &os.ProcAttr{})\n'
        'if os.IsPermission(err) {\nfmt.Println("refused")\n} else {\nfmt.Println(err)\n}',
        *("fmt", "os"),
    ),
    works=_go("c := make(chan int)\ngo func() { c <- 42 }()\nfmt.Println(<-c)", "fmt"),
    leaves=_go('go func() {\nfor {\n}\n}()\nfmt.Print("left")', "fmt"),
    files=_go(
        'os.WriteFile("own", []byte("own text"), 0600)\n'
        'text, _ := os.ReadFile("own")\nfmt.Println(string(text))',
        *("fmt", "os"),
    ),
    tells=_go(
        'for _, line := range os.Environ() {\nfmt.Println(strings.Split(line, "=")[0])\n}',
        *("fmt", "os", "strings"),
    ),
)

PROGRAMS: Mapping[Language, Hosted] = {
    Language.JAVASCRIPT: JAVASCRIPT,
    Language.JAVA: JAVA,
    Language.GO: GO,
}
ATTEMPTS = tuple(field.name for field in fields(Hosted))
