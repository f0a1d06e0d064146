"""The first program of a `stdio` problem that `new` writes, in other languages. Texts only.

Each does what that in Python does (`starter`): how many words of the second line stand in the
first one, by asking each of them.
"""

from __future__ import annotations

from collections.abc import Mapping

from se_agent.program.language import Language

PROGRAMS: Mapping[Language, str] = {
    Language.CPP: """\
// How many words of the second line stand in the first one.
//
// A program is right if it prints what this one prints. Put your own program here.
#include <algorithm>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

int main() {
    std::string first, second, word;
    std::getline(std::cin, first);
    std::getline(std::cin, second);
    std::vector<std::string> known;
    std::istringstream names(first);
    while (names >> word) {
        known.push_back(word);
    }
    long found = 0;
    std::istringstream words(second);
    while (words >> word) {
        if (std::find(known.begin(), known.end(), word) != known.end()) {
            found++;
        }
    }
    std::cout << found << std::endl;
}
""",
    Language.C: """\
// How many words of the second line stand in the first one.
//
// A program is right if it prints what this one prints. Put your own program here.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
    size_t room = 1 << 16, length = 0, read;
    char *text = malloc(room + 1);
    while ((read = fread(text + length, 1, room - length, stdin)) > 0) {
        length += read;
        if (length == room) {
            room *= 2;
            text = realloc(text, room + 1);
        }
    }
    text[length] = 0;
    char *second = strchr(text, '\\n');
    if (second == NULL) {
        puts("0");
        return 0;
    }
    *second++ = 0;
    second[strcspn(second, "\\n")] = 0;
    char **known = malloc((length / 2 + 1) * sizeof *known);
    long count = 0, found = 0;
    for (char *word = strtok(text, " "); word != NULL; word = strtok(NULL, " ")) {
        known[count++] = word;
    }
    for (char *word = strtok(second, " "); word != NULL; word = strtok(NULL, " ")) {
        for (long i = 0; i < count; i++) {
            if (strcmp(known[i], word) == 0) {
                found++;
                break;
            }
        }
    }
    printf("%ld\\n", found);
    return 0;
}
""",
    Language.RUST: """\
// How many words of the second line stand in the first one.
//
// A program is right if it prints what this one prints. Put your own program here.
use std::io::Read;

fn main() {
    let mut text = String::new();
    std::io::stdin().read_to_string(&mut text).unwrap();
    let mut lines = text.lines();
    let known: Vec<&str> = lines.next().unwrap_or("").split_whitespace().collect();
    let second = lines.next().unwrap_or("");
    let found = second.split_whitespace().filter(|word| known.contains(word)).count();
    println!("{}", found);
}
""",
    Language.GO: """\
// How many words of the second line stand in the first one.
//
// A program is right if it prints what this one prints. Put your own program here.
package main

import (
	"fmt"
	"io"
	"os"
	"strings"
)

func main() {
	text, _ := io.ReadAll(os.Stdin)
	lines := strings.SplitN(string(text)+"\\n\\n", "\\n", 3)
	known := strings.Fields(lines[0])
	found := 0
	for _, word := range strings.Fields(lines[1]) {
		for _, other := range known {
			if other == word {
				found++
				break
			}
		}
	}
	fmt.Println(found)
}
""",
    Language.JAVA: """\
// How many words of the second line stand in the first one.
//
// A program is right if it prints what this one prints. Put your own program here.
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.ArrayList;
import java.util.List;
import java.util.StringTokenizer;

public class Main {
    public static void main(String[] args) throws IOException {
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in));
        List<String> known = words(input.readLine());
        int found = 0;
        for (String word : words(input.readLine())) {
            if (known.contains(word)) {
                found++;
            }
        }
        System.out.println(found);
    }

    private static List<String> words(String line) {
        List<String> found = new ArrayList<>();
        StringTokenizer words = new StringTokenizer(line == null ? "" : line);
        while (words.hasMoreTokens()) {
            found.add(words.nextToken());
        }
        return found;
    }
}
""",
    Language.JAVASCRIPT: """\
// How many words of the second line stand in the first one.
//
// A program is right if it prints what this one prints. Put your own program here.
const lines = require("fs").readFileSync(0, "utf8").split("\\n");
const words = (line) => (line || "").split(/\\s+/).filter((word) => word !== "");
const known = words(lines[0]);
let found = 0;
for (const word of words(lines[1])) {
  if (known.includes(word)) {
    found++;
  }
}
console.log(found);
""",
}
"""Texts by language; that in Python is the starter's own."""
